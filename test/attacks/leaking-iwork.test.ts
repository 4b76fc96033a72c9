import { expect, test } from "@jest/globals";
import { compose, realAddress } from "../../services/forwarder/test-support/answer.ts";
import { withAttached } from "../../services/forwarder/test-support/attached.ts";
import { zipFile } from "../../services/forwarder/test-support/zip-file.ts";

// The real address leaves in a document of Pages, Numbers or Keynote, such as a letter with it in its head: Snappy compresses what they say.

/** By Google's library: "Owner & Co.\nOlive Street 1\nwww.home.example\n\nDear Ann,\n\nwrite to Olive.Owner@home.example, and …". */
const letter = Buffer.from(
  "iAHwQE93bmVyICYgQ28uCk9saXZlIFN0cmVldCAxCnd3dy5ob21lLmV4YW1wbGUKCkRlYXIgQW5uLAoKd3JpdGUgdG8gBTUYLk93bmVyQC4uALgsIGFuZCBJIHdpbGwgY29tZSBieSBvbiBNb25kYXkgd2l0aCBhbGwgb2YgaXQuCg==",
  "base64",
);

/** A component: each of its chunks behind an octet 0 and its length. */
function component(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat(
    chunks.flatMap((chunk) => {
      const header = Buffer.alloc(4);
      header.writeUIntLE(chunk.length, 1, 3);
      return [header, chunk];
    }),
  );
}

const index = (content: Buffer) => zipFile([{ name: "Index/Document.iwa", content, method: 0 }]);
/** @param length of what it says in the end */
const chunk = (length: number, ...tags: readonly (readonly number[])[]) => {
  const bytes = [length & 0x7f, (length >> 7) & 0x7f, length >> 14];
  return Buffer.from([(bytes[0] as number) | 0x80, (bytes[1] as number) | 0x80, bytes[2] as number, ...tags.flat()]);
};
const other = chunk(8, [(4 - 1) << 2, 0x61, 0x62, 0x63, 0x64], [2 | ((4 - 1) << 2), 4, 0]);
const type = "application/octet-stream; name=letter.pages";
const leaksOf = async (file: Buffer, realAddresses = [realAddress]) =>
  (await compose(withAttached(type, file), { realAddresses })).leaks;

test.each([
  ["a letter of Pages", index(component(letter))],
  ["its second chunk", index(component(other, letter))],
  ["a document that is a folder", zipFile([{ name: "a.pages/Index.zip", content: index(component(letter)) }])],
])("%s that names the real address is held", async (_name, file) => {
  expect(await leaksOf(file)).toEqual(['in the attachment "letter.pages"']);
  expect(await leaksOf(file, ["another@home.example"])).toEqual([]);
});

const far = [3 | (63 << 2), 4, 0, 0, 0];
test.each([
  ["a reference to what is not there", chunk(8, [2, 9, 0])],
  ["a reference to itself", chunk(8, [0, 0x61], [2, 0, 0])],
  ["a text that is cut", chunk(200, [60 << 2, 199, 0x61])],
  ["a tag that is cut", chunk(8, [3])],
  ["nothing", Buffer.alloc(0)],
])("of a component with %s what comes before it is searched", async (_name, broken) => {
  expect(await leaksOf(index(component(letter, broken)))).toHaveLength(1);
  expect(await leaksOf(index(component(broken, other)))).toEqual([]);
});

test("what unpacks to more than is searched is held", async () => {
  const mib = 1024 * 1024;
  const large = chunk(mib, [(4 - 1) << 2, 0x61, 0x62, 0x63, 0x64], ...Array(mib / 64).fill(far));
  expect(await leaksOf(index(component(large)))).toEqual([]);
  expect(await leaksOf(index(component(...Array(5).fill(large))))).toEqual([
    'in the attachment "letter.pages", which has more packed in it than is searched',
  ]);
});

test.each([
  ["many chunks that say little", Buffer.alloc(1024 * 1024, component(chunk(2_000_000, [0, 0x61]))), 1],
  ["a length that does not end", component(Buffer.alloc(8 * 1024 * 1024, 0xff)), 0],
])(
  "a document all of whose entries are one with %s takes a time that goes with its length",
  async (_name, content, found) => {
    const file = index(content);
    const central = file.subarray(file.indexOf("PK\u0001\u0002"), file.length - 22);
    const entries = Buffer.concat([file.subarray(0, file.length - 22), ...Array(1_998).fill(central)]);
    expect(await leaksOf(entries)).toHaveLength(found);
  },
);
