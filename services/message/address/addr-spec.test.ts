import { expect, test } from "@jest/globals";
import { domainOf, splitAddress, withAsciiDomain } from "./addr-spec.ts";

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
