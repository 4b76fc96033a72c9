import { expect, test } from "@jest/globals";
import { readFields } from "./header-section.ts";
import { claimsOurAuthservId } from "./our-authentication-results.ts";

function isForged(raw: string): boolean {
  return readFields(Buffer.from(`${raw}\r\n`)).some((field) => claimsOurAuthservId(field, "postern.example"));
}

test.each([
  "Authentication-Results: postern.example; spf=pass",
  "authentication-results : POSTERN.example 1; none",
  "Authentication-Results:\r\n\tpostern.example;\r\n\tdkim=pass",
  "Authentication-Results: (a (nested) comment) postern.example; none",
  'Authentication-Results: (an escaped \\) paren) "postern\\.example"; none',
  "Authentication-Results: postern.example.; none",
  "Authentication-Results: postern.example(x);none",
])("%j pretends to be ours", (raw) => {
  expect(isForged(raw)).toBe(true);
});

test.each([
  "Authentication-Results: mx.example; spf=pass smtp.mailfrom=postern.example",
  "Authentication-Results: notpostern.example; none",
  "Authentication-Results: postern.example.evil.example; none",
  "Authentication-Results: (postern.example) mx.example; none",
  "Authentication-Results:",
  "ARC-Authentication-Results: i=1; postern.example; none",
  "Subject: Authentication-Results: postern.example; none",
])("%j does not", (raw) => {
  expect(isForged(raw)).toBe(false);
});
