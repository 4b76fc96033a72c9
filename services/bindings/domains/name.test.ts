import { expect, test } from "@jest/globals";
import { ServedDomains } from "../addresses/served-domains.ts";
import { readDomainName } from "./name.ts";

const domains = new ServedDomains({
  SERVICE_DOMAIN: "mail.postern.example",
  internalDomains: ["int.mail.postern.example", "postern-int.int"],
});

test.each([
  ["Example.ORG", "example.org"],
  [" example.org. ", "example.org"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["bücher。example。", "xn--bcher-kva.example"],
  ["a.b.co.uk", "a.b.co.uk"],
  ["other.example", "other.example"],
  ["mymail.postern.example.org", "mymail.postern.example.org"],
])("%s is %s", (given, name) => {
  expect(readDomainName(given, domains)).toBe(name);
});

test.each([
  ...["", ".", "org", "example..org", "example.org..", "-a.example", "a_b.example", "a b.example", "*.example.org"],
  ...["192.0.2.1", "[192.0.2.1]", "1.2", "a@example.org", "example.org:25", "http://example.org", "a%2eexample.org"],
  ...[`${"a".repeat(64)}.example`, `${"a.".repeat(110)}example`],
  ...["mail.postern.example", "MAIL.postern.example.", "x.mail.postern.example", "postern.example", "example"],
  ...["int.mail.postern.example", "postern-int.int", "x.postern-int.int"],
  ...["co.uk", "github.io", "org", "blogspot.com", "xn--p1ai"],
])("%j is refused", (given) => {
  expect(() => readDomainName(given, domains)).toThrow(
    expect.objectContaining({ kind: "ValidationFailed", fieldFault: expect.objectContaining({ field: "name" }) }),
  );
});
