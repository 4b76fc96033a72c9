import { domainToASCII } from "node:url";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { toAscii } from "./domain-name.ts";

test.each([
  "example",
  "mail.real.example",
  "a-b.c--d.example",
  "-a.example-",
  "a..example",
  ".example",
  "example.",
  "MAIL.Example",
  "xn--bcher-kva.example",
  "xn--.example",
  "xn--a.example",
  "1.2.3",
  "1.2.3.4",
  "a.0x1",
  "a.x0",
  "a.1e",
  "bücher.example",
  "example\u00ad.example",
  "example\uff0eexample",
  "a_b.example",
  `${"a".repeat(64)}.example`,
  `${"abcdefghi.".repeat(30)}example`,
  "",
])("%p is what domainToASCII makes of it", (domain) => {
  expect(toAscii(domain)).toBe(domainToASCII(domain));
});

test("so is any domain of such characters", () => {
  const label = fc.stringMatching(/^(?:xn--)?[a-z0-9-]{0,6}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const domain = labels.join(".");
      expect(toAscii(domain)).toBe(domainToASCII(domain));
    }),
    { numRuns: 5_000 },
  );
});
