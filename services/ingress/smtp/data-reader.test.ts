import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { readDataAtOnce } from "./data-reader.ts";

const lineCount = 2_000;

test("what comes line by line is handed on in few pieces, and what follows the message is a command", async () => {
  const parser = readDataAtOnce(new SMTPStream());
  const command = new Promise<string>((resolve) => {
    parser.oncommand = (line) => resolve(line.toString());
  });
  const data = parser.startDataMode();
  const pieces: Buffer[] = [];
  const read = (async () => {
    for await (const piece of data) pieces.push(piece as Buffer);
  })();
  // As a socket does: a piece a turn of the event loop.
  for (let number = 0; number < lineCount; number += 1) {
    parser.write(`..line ${number}\r\n`);
    await nextTurn();
  }
  parser.write(".\r\n");
  parser.write("NOOP\r\n");
  await read;
  parser.continue();
  const lines = Array.from({ length: lineCount }, (_, number) => `.line ${number}\r\n`);
  expect(Buffer.concat(pieces).toString()).toBe(lines.join(""));
  expect(await command).toBe("NOOP");
  expect(pieces.length).toBeLessThan(lineCount / 2);
});
