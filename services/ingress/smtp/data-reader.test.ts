import { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { acceptingServer, stopServers } from "../test-support/accepting-server.ts";
import { readDataAtOnce } from "./data-reader.ts";

const lineCount = 2_000;

afterEach(stopServers);

test("what comes line by line is handed on in few pieces, and what follows the message is a command", async () => {
  const parser = readDataAtOnce(new SMTPStream(), () => new Socket());
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

test("a sender of short lines has its socket read far less often than it writes", async () => {
  const { port, smtp, taken } = await acceptingServer();
  const client = await SmtpClient.open(port);
  await client.command("MAIL FROM:<author@example.org>");
  await client.command("RCPT TO:<a@b.example>");
  await client.command("DATA");
  let reads = 0;
  for (const session of smtp.connections) session._socket.on("data", () => reads++);
  for (let number = 0; number < lineCount; number += 1) {
    client.send(`line ${number}\r\n`);
    await nextTurn();
  }
  expect(await client.command(".")).toMatch(/^250 /);
  expect(taken.messages[0]?.toString().split("\r\n")).toHaveLength(lineCount + 1);
  expect(await client.command("NOOP")).toMatch(/^250 /);
  expect(reads).toBeLessThan(lineCount / 2);
});
