import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { HeaderCollector } from "./header-collector.ts";

async function collect(chunks: readonly Buffer[]): Promise<HeaderCollector> {
  const block = new HeaderCollector();
  const passed: Buffer[] = [];
  async function* source() {
    yield* chunks;
  }
  for await (const chunk of block.collectFrom(source())) passed.push(chunk);
  expect(passed).toEqual(chunks);
  return block;
}

test("the section ends before the first blank line, wherever the message is cut", async () => {
  const header = "A: 1\r\nB : 2\r\n\tfolded\r\nno field\r\nC:\r\n";
  const message = Buffer.from(`${header}\r\nbody\r\n\r\nD: 4\r\n`);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(message.length), { maxLength: 8 }), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), message.length];
      const block = await collect(places.slice(1).map((to, index) => message.subarray(places[index], to)));
      expect(block.bytes.toString()).toBe(header);
      expect(block.fields).toEqual([
        { name: "a", raw: "A: 1" },
        { name: "b", raw: "B : 2\r\n\tfolded\r\nno field" },
        { name: "c", raw: "C:" },
      ]);
    }),
  );
});

test.each([
  ["\r\nbody\r\n", ""],
  ["A: 1\r\n", "A: 1\r\n"],
  ["", ""],
])("%j has the section %j", async (message, header) => {
  const block = await collect([Buffer.from(message)]);
  expect(block.bytes.toString()).toBe(header);
});

test("a section without an end is refused before it fills the memory", async () => {
  const chunks = Array.from({ length: 9 }, () => Buffer.alloc(64 * 1024, "x"));
  await expect(collect(chunks)).rejects.toMatchObject({ reason: "headerTooBig" });
});
