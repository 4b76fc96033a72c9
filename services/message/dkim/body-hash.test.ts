import { createRequire } from "node:module";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { BodyHash } from "./body-hash.ts";

// mailauth keeps its canonicalization to itself; as a second opinion it may be asked all the same.
const { RelaxedHash } = createRequire(import.meta.url)("../../../node_modules/mailauth/lib/dkim/body/relaxed.js");

function hashOf(chunks: readonly Buffer[]): string {
  const hash = new BodyHash();
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest();
}

function mailauthHashOf(body: Buffer): string {
  const hash = new RelaxedHash("sha256");
  hash.update(body);
  return hash.digest("base64");
}

const piece = fc.oneof(
  fc.constantFrom("a", " ", "\t", "  ", "\r\n", "\r\n\r\n", " \r\n", "\t\r\n", "word", ".", "ä"),
  fc.uint8Array({ maxLength: 6 }).map((octets) =>
    Buffer.from(octets)
      .toString("latin1")
      .replaceAll(/[\r\n]/g, "-"),
  ),
);

test("is what mailauth finds, however the body is cut up", () => {
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat()), (pieces, cuts) => {
      const body = Buffer.from(pieces.join(""), "latin1");
      const places = [0, ...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b), body.length];
      const chunks = places.slice(1).map((to, index) => body.subarray(places[index], to));
      expect(hashOf(chunks)).toBe(mailauthHashOf(body));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
  ["\r\n \r\n\t", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
])("of the empty body %j is that of nothing (RFC 6376 section 3.4.4)", (body, hash) => {
  expect(hashOf([Buffer.from(body)])).toBe(hash);
});

test("holds nothing of a body without line ends, nor of one that is nothing else", () => {
  const hash = new BodyHash();
  const before = process.memoryUsage.rss();
  for (let count = 0; count < 64; count++) hash.update(Buffer.alloc(256 * 1024, "x"));
  for (let count = 0; count < 64; count++) hash.update(Buffer.from("\r\n".repeat(128 * 1024)));
  hash.update(Buffer.from("end"));
  expect(hash.digest()).toHaveLength(44);
  expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
});
