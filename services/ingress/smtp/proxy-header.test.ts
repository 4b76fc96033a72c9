import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseProxyHeader } from "./proxy-header.ts";

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");

function binary(command: number, family: number, block: readonly number[]): Buffer {
  const length = [block.length >> 8, block.length & 0xff];
  return Buffer.concat([signature, Buffer.from([0x20 | command, family, ...length, ...block])]);
}

const ipv4 = binary(1, 0x11, [192, 0, 2, 1, 198, 51, 100, 1, 0x30, 0x39, 0, 25]);
const ipv6 = binary(1, 0x21, [0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1, ...Array(16).fill(0), 0x30, 0x39, 0, 25]);
const whole: [Buffer, { address: string; port: number } | undefined][] = [
  [Buffer.from("PROXY TCP4 192.0.2.1 198.51.100.1 12345 25\r\n"), { address: "192.0.2.1", port: 12345 }],
  [Buffer.from("PROXY TCP6 2001:db8::1 2001:db8::2 12345 25\r\n"), { address: "2001:db8::1", port: 12345 }],
  [Buffer.from("PROXY UNKNOWN\r\n"), undefined],
  [ipv4, { address: "192.0.2.1", port: 12345 }],
  [ipv6, { address: "2001:db8:0:0:0:0:0:1", port: 12345 }],
  [binary(0, 0, []), undefined],
  [
    binary(1, 0x11, [192, 0, 2, 1, 198, 51, 100, 1, 0x30, 0x39, 0, 25, 3, 0, 1, 0]),
    { address: "192.0.2.1", port: 12345 },
  ],
];

test.each(whole)("%j names its client, and leaves what follows it", (header, client) => {
  expect(parseProxyHeader(Buffer.concat([header, Buffer.from("EHLO x\r\n")]))).toEqual({
    lengthBytes: header.length,
    client,
  });
  for (let size = 0; size < header.length; size++) expect(parseProxyHeader(header.subarray(0, size))).toBeUndefined();
});

test.each([
  "EHLO x\r\n",
  "PROXY TCP4 2001:db8::1 x 1 2\r\n",
  "PROXY TCP4 nonsense x 1 2\r\n",
  "PROXY TCP4 192.0.2.1 x y z\r\n",
  `PROXY ${"x".repeat(200)}`,
])("%j is no header", (text) => {
  expect(() => parseProxyHeader(Buffer.from(text))).toThrow("PROXY header");
});

test("no bytes make it fail in another way", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, isBinary) => {
      try {
        parseProxyHeader(Buffer.concat([isBinary ? signature : Buffer.alloc(0), bytes]));
      } catch (error) {
        expect(String(error)).toContain("PROXY header");
      }
    }),
  );
});
