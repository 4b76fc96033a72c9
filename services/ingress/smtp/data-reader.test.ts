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

test.each([
  ["plainly", false],
  ["by TLS", true],
])("the socket of a sender of short lines, %s, rests, and then all that has come is read", async (_, isSecure) => {
  const { port, smtp, taken } = await acceptingServer();
  const client = await SmtpClient.open(port);
  if (isSecure) {
    await client.command("STARTTLS");
    await client.secure();
    await client.command("EHLO client.example");
  }
  await client.command("MAIL FROM:<author@example.org>");
  await client.command("RCPT TO:<a@b.example>");
  await client.command("DATA");
  let pauses = 0;
  let reads = 0;
  for (const { _socket: socket } of smtp.connections) {
    socket.on("pause", () => pauses++);
    socket.on("data", () => reads++);
  }
  for (let number = 0; number < lineCount; number += 1) {
    client.send(`line ${number}\r\n`);
    await nextTurn();
  }
  expect(await client.command(".")).toMatch(/^250 /);
  expect(taken.messages[0]?.toString().split("\r\n")).toHaveLength(lineCount + 1);
  expect(await client.command("NOOP")).toMatch(/^250 /);
  // Each pause ends with all that has come meanwhile.
  expect(pauses).toBeGreaterThan(0);
  expect(pauses).toBeLessThan(lineCount / 16);
  // Of TLS each record is a piece.
  if (!isSecure) expect(reads).toBeLessThan(lineCount / 2);
});
