import { afterEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { acceptingServer, stopServers } from "../test-support/accepting-server.ts";

afterEach(stopServers);

test("pipelined commands are answered in order, and what follows the final dot is the next transaction", async () => {
  const { port, taken } = await acceptingServer();
  const client = await SmtpClient.open(port);
  client.send("MAIL FROM:<>\r\nRCPT TO:<a@b.example>\r\nDATA\r\n");
  expect((await client.replies(3)).map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "354"]);
  client.send("first\r\n.\r\nMAIL FROM:<>\r\nRCPT TO:<a@b.example>\r\nDATA\r\n");
  expect((await client.replies(4)).map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "250", "354"]);
  expect(await client.command("second\r\n.")).toMatch(/^250 /);
  expect(taken.messages.map(String)).toEqual(["first\r\n", "second\r\n"]);
});

// Each has ended a message in some server or other (CVE-2023-51764 and its kin).

const smuggling = ["\n.\n", "\r.\r", "\n.\r\n", "\r.\r\n", "\r\n.\n", "\r\n.\r", "\r\n\0.\r\n", "\n\n.\r\n", "\r\r\n"];

test.each(smuggling)(
  "%j ends no message: what follows it is refused with it, and no command of it runs",
  async (sequence) => {
    const { port, taken } = await acceptingServer();
    const client = await SmtpClient.open(port);
    const smuggled = "MAIL FROM:<x@x.example>\r\nRCPT TO:<y@y.example>\r\nDATA\r\nSubject: smuggled\r\n\r\n";
    const [, reply] = await client.deliver(["a@b.example"], `Subject: x\r\n\r\none${sequence}${smuggled}`);
    expect(reply).toMatch(sequence.includes("\0") ? /^550 5\.6\.0 / : /^550 5\.6\.11 /);
    expect(taken.messages).toEqual([]);
    expect(await client.command("NOOP")).toBe("250 2.0.0 OK");
  },
);

test("any bytes, cut anywhere, are one message as they came or none", async () => {
  const { port, taken } = await acceptingServer();
  const client = await SmtpClient.open(port);
  const piece = fc.constantFrom(
    "\r\n",
    ".",
    "..",
    "\r",
    "\n",
    "\r\n.",
    "a",
    "\r\n.\r\n",
    "MAIL FROM:<>\r\n",
    "\0",
    "é",
  );
  const cuts = fc.array(fc.nat(40), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), cuts, async (pieces, at) => {
      const content = Buffer.from(pieces.join(""));
      const stuffed = Buffer.from(
        `${content.toString("latin1").replace(/^\./, "..").replaceAll("\r\n.", "\r\n..")}\r\n.\r\n`,
        "latin1",
      );
      taken.messages.length = 0;
      await client.command("MAIL FROM:<>");
      await client.command("RCPT TO:<a@b.example>");
      await client.command("DATA");
      let from = 0;
      for (const to of [...at.sort((a, b) => a - b), stuffed.length]) {
        client.send(stuffed.subarray(from, to));
        from = Math.max(from, to);
        await new Promise(setImmediate);
      }
      const reply = await client.reply();
      const isClean = !/\0|\r(?!\n)|(?<!\r)\n/.test(`${content.toString("latin1")}\r\n`);
      expect(reply.slice(0, 3)).toBe(isClean ? "250" : "550");
      expect(taken.messages.map((message) => message.toString("latin1"))).toEqual(
        isClean ? [`${content.toString("latin1")}\r\n`] : [],
      );
    }),
    { numRuns: 150 },
  );
});
