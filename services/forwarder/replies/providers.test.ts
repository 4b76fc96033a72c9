import { expect, test } from "@jest/globals";
import { providerOf } from "./providers.ts";

test.each([
  ["gmail.com", "", "gmail"],
  ["company.example", "aspmx.l.google.com[2001:db8::1]", "gmail"],
  ["company.example", "company-example.mail.protection.outlook.com[192.0.2.1]", "outlook"],
  ["mail.gmx.net", "relay.example[192.0.2.1]", "gmx"],
  ["notgmail.com", "", "other"],
  ["company.example", "127.0.0.1[127.0.0.1]", "other"],
])("%s, reached at %j, is %s", (domain, remote, provider) => {
  expect(providerOf(domain, remote)).toBe(provider);
});
