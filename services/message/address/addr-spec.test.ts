import { expect, test } from "@jest/globals";
import { addressSpellings, comparableAddress, domainOf, splitAddress, withAsciiDomain } from "./addr-spec.ts";

test.each([
  ["a@x.example", "a", "x.example"],
  ['"a@b"@x.example', '"a@b"', "x.example"],
  ["a@b@x.example", "a@b", "x.example"],
  ["a@[192.0.2.1]", "a", "[192.0.2.1]"],
  ["a@[x-tag:b@c]", "a", "[x-tag:b@c]"],
  ["postmaster", "postmaster", ""],
  ["", "", ""],
  ["a@", "a", ""],
])("%s has the sides %s and %s", (address, localPart, domain) => {
  expect(splitAddress(address)).toEqual({ localPart, domain });
});

test("domains are compared in lower case, and reach DNS in A-labels", () => {
  expect(domainOf("A@X.Example")).toBe("x.example");
  expect(withAsciiDomain("a@bücher.example")).toBe("a@xn--bcher-kva.example");
  expect(withAsciiDomain("ä@X.example")).toBe("ä@X.example");
});

test("an address in whatever notation is the same, and all of them are known", () => {
  const decomposed = "O\u0308zge@bu\u0308cher.example";
  const written = ["ÖZGE@bücher.example", "özge@XN--bcher-kva.example", decomposed];
  for (const each of written) {
    expect(comparableAddress(each)).toBe("özge@xn--bcher-kva.example");
    const spellings = addressSpellings(each);
    for (const other of written) expect(spellings).toContain(other.toLowerCase());
  }
  expect(addressSpellings("Ann@Shop.example")).toEqual(["ann@shop.example"]);
  expect(addressSpellings("ann@[192.0.2.1]")).toEqual(["ann@[192.0.2.1]"]);
  expect(addressSpellings("ann")).toEqual(["ann"]);
  // Of which lower case makes one letter and a mark, if they were not one before.
  expect(comparableAddress("J\u030cane@b.example")).toBe(comparableAddress("\u01f0ane@b.example"));
});
