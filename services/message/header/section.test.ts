import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { HeaderSection, splitMessage } from "./section.ts";

function collect(message: Buffer, cuts: readonly number[]): { section: HeaderSection; body: string } {
  const section = new HeaderSection();
  const places = [0, ...[...cuts].sort((a, b) => a - b), message.length];
  const bodies = places.slice(1).map((to, index) => section.add(message.subarray(places[index], to)));
  return { section, body: Buffer.concat(bodies).toString("latin1") };
}

test.each([
  ["A: 1\r\nB : 2\r\n\r\nbody\r\n\r\nC: 3\r\n", "A: 1\r\nB : 2\r\n", "body\r\n\r\nC: 3\r\n"],
  ["\r\nbody\r\n", "", "body\r\n"],
  ["\nbody", "", "body"],
  ["A: 1\n\nbody", "A: 1\n", "body"],
  ["A: 1\r\n \r\n\r\nbody", "A: 1\r\n \r\n", "body"],
  ["A: 1\r\n\r\r\n\r\nbody", "A: 1\r\n\r\r\n", "body"],
  ["A: 1\r\n\r\n", "A: 1\r\n", ""],
  ["\r\n\r\n", "", "\r\n"],
])("%j is the section %j and a body, however it is cut", (message, header, body) => {
  const bytes = Buffer.from(message);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
      const collected = collect(bytes, cuts);
      expect(collected.section.isComplete).toBe(true);
      expect(collected.section.bytes.toString()).toBe(header);
      expect(collected.section.sizeBytes).toBe(header.length);
      expect(collected.body).toBe(body);
    }),
  );
  expect(splitMessage(bytes).header.toString()).toBe(header);
  expect(splitMessage(bytes).body.toString()).toBe(body);
});

test.each(["", "A: 1\r\n", "A: 1", "A: 1\r\n\r"])("%j has no empty line", (message) => {
  const { section, body } = collect(Buffer.from(message), [1, 2]);
  expect(section.isComplete).toBe(false);
  expect(section.bytes.toString()).toBe(message);
  expect(body).toBe("");
});
