import { expect, test } from "@jest/globals";
import { areAligned, organisationalDomain } from "./organisational-domain.ts";

test.each([
  ["mail.corp.example", "corp.example"],
  ["a.b.shop.co.uk", "shop.co.uk"],
  ["co.uk", "co.uk"],
  ["a.somebody.github.io", "somebody.github.io"],
  ["localhost", "localhost"],
  ["192.0.2.1", "192.0.2.1"],
  ["a_b.corp.example", "corp.example"],
  ["", ""],
])("%s belongs to %s", (domain, organisation) => {
  expect(organisationalDomain(domain)).toBe(organisation);
});

test("neighbours are aligned, customers of one provider and nothing at all are not", () => {
  expect(areAligned("a.corp.example", "b.corp.example")).toBe(true);
  expect(areAligned("one.co.uk", "other.co.uk")).toBe(false);
  expect(areAligned("one.github.io", "other.github.io")).toBe(false);
  expect(areAligned("", "")).toBe(false);
});
