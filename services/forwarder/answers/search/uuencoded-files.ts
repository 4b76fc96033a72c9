import { UuencodeDecoder } from "../../../message/coding/uuencode.ts";

/** Files that a text has in it, as programs before MIME attached them; each is as long as it stands there at most. */
export function* uuencodedFiles(text: Buffer): Generator<Buffer> {
  if (!text.includes("begin ")) return;
  const starts = [...text.toString("latin1").matchAll(/^begin [0-7]{3,4} /gm)].map(({ index }) => index);
  for (const [number, start] of starts.entries()) {
    const decoder = new UuencodeDecoder();
    yield Buffer.concat([decoder.write(text.subarray(start, starts[number + 1])), decoder.end()]);
  }
}
