import { expect, test } from "@jest/globals";
import { parseFields, serializeFields } from "../../message/header/fields.ts";
import { withoutForgedResults } from "./our-authentication-results.ts";

function isForged(raw: string): boolean {
  const fields = parseFields(Buffer.from(`${raw}\r\n`, "latin1"));
  return withoutForgedResults(fields, "postern.example") !== fields;
}

test.each([
  "Authentication-Results: postern.example; spf=pass",
  "authentication-results : POSTERN.example 1; none",
  "Authentication-Results:\r\n\tpostern.example;\r\n\tdkim=pass",
  "Authentication-Results: (a (nested) comment) postern.example; none",
  'Authentication-Results: (an escaped \\) paren) "postern\\.example"; none',
  "Authentication-Results: postern.example.; none",
  "Authentication-Results: postern.example(x);none",
  "Authentication-Results: postern . example; none",
  "Authentication-Results\r\n : postern.example; none",
  "Authentication-Results \r\n\t\r\n : postern.example; none",
  "Authentication-Results\xa0: postern.example; none",
  "Subject: x\r\nAuthentication-Results\xa0: postern.example; none",
  "\x0bAuthentication-Results: postern.example; none",
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

test("of lines that are no fields only the forged ones go", () => {
  const section = "Subject: x\r\nAuthentication-Results\xa0:\r\n postern.example; none\r\nno field\r\nTo: y\r\n";
  const honest = withoutForgedResults(parseFields(Buffer.from(section, "latin1")), "postern.example");
  expect(serializeFields(honest)).toBe("Subject: x\r\nno field\r\nTo: y\r\n");
});
