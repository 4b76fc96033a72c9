import { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, jest, test } from "@jest/globals";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { acceptingServer, stopServers } from "../test-support/accepting-server.ts";
import { readDataAtOnce } from "./data-reader.ts";

const prompt = 16;
const lineCount = 2_000;

afterEach(async () => {
  jest.useRealTimers();
  await stopServers();
});

test("after some short pieces the socket rests, and what has come when it is read again is one piece", async () => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick"] });
  const socket = new Socket();
  const [pause, resume] = [jest.spyOn(socket, "pause"), jest.spyOn(socket, "resume")];
  const parser = readDataAtOnce(new SMTPStream(), () => socket);
  const command = new Promise<string>((resolve) => {
    parser.oncommand = (line) => resolve(line.toString());
  });
  const pieces: string[] = [];
  const data = parser.startDataMode().on("data", (piece) => pieces.push(String(piece)));
  const line = (number: number) => `.line ${number}\r\n`;
  for (let number = 0; number < lineCount; number += 1) {
    parser.write(`.${line(number)}`);
    if (number <= prompt) await nextTurn();
  }
  expect(pieces).toHaveLength(prompt + 1);
  expect([pause.mock.calls.length, resume.mock.calls.length]).toEqual([1, 0]);
  jest.runOnlyPendingTimers();
  await nextTurn();
  await nextTurn();
  expect(resume).toHaveBeenCalledTimes(1);
  expect(pieces).toHaveLength(prompt + 2);
  parser.write(".\r\n");
  parser.write("NOOP\r\n");
  await new Promise((resolve) => data.once("end", resolve));
  parser.continue();
  expect(pieces.join("")).toBe(Array.from({ length: lineCount }, (_, number) => line(number)).join(""));
  expect(await command).toBe("NOOP");
});

test.each([
  ["plainly", false],
  ["by TLS", true],
])("a message sent line by line, %s, is taken whole", async (_, isSecure) => {
  const { port, taken } = await acceptingServer();
  const client = await SmtpClient.open(port);
  if (isSecure) {
    await client.command("STARTTLS");
    await client.secure();
    await client.command("EHLO client.example");
  }
  await client.command("MAIL FROM:<author@example.org>");
  await client.command("RCPT TO:<a@b.example>");
  await client.command("DATA");
  for (let number = 0; number < lineCount; number += 1) {
    client.send(`line ${number}\r\n`);
    await nextTurn();
  }
  expect(await client.command(".")).toMatch(/^250 /);
  expect(taken.messages[0]?.toString().split("\r\n")).toHaveLength(lineCount + 1);
  expect(await client.command("NOOP")).toMatch(/^250 /);
});

test("a socket that rests is not read, so that the system puts together what comes", async () => {
  const { port, smtp } = await acceptingServer();
  const client = await SmtpClient.open(port);
  const [session] = smtp.connections;
  const socket = session?._socket as Socket;
  socket.pause();
  for (let number = 0; number < lineCount; number += 1) {
    client.send("NOOP\r\n");
    await nextTurn();
  }
  expect(socket.readableLength).toBeLessThan(lineCount);
  socket.resume();
  for (let number = 0; number < lineCount; number += 1) expect(await client.reply()).toMatch(/^250 /);
});
