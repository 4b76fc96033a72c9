import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { parseMessage } from "./message.ts";

const lines = (...parts: string[]) => `${parts.join("\r\n")}\r\n`;

const endless = {
  "text over the limit": lines("Subject: long", "", "x".repeat(100_000)),
  "HTML over the limit": lines(
    "Content-Type: text/html",
    "Content-Transfer-Encoding: base64",
    "",
    "QUFB".repeat(40_000),
  ),
  "what follows the last part": lines("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "a", "--b--", ""),
  "parts that are too many": lines("Content-Type: multipart/mixed; boundary=b", "", "--b\r\n\r\na\r\n".repeat(2_000)),
};

test.each(Object.entries(endless))("%s: the rest is not fetched", async (_name, beginning) => {
  const fetched = { count: 0 };
  const chunks = function* () {
    yield Buffer.from(beginning);
    for (; fetched.count < 100; fetched.count += 1) yield Buffer.from("more of it\r\n".repeat(1_000));
  };
  const source = Readable.from(chunks(), { objectMode: false, highWaterMark: 1 });
  const message = await parseMessage(source, buffer, AbortSignal.timeout(30_000), 50_000);
  expect(message.text?.length ?? message.html?.length).toBeLessThanOrEqual(50_000);
  expect(fetched.count).toBeLessThan(10);
  expect(source.destroyed).toBe(true);
});

test("an attachment behind a text that is over the limit is kept", async () => {
  const part = (head: string, body: string) => lines("--b", head, "", body);
  const source = lines("Content-Type: multipart/mixed; boundary=b", "", "").concat(
    part("Content-Type: text/plain", "x".repeat(100_000)),
    part("Content-Type: application/pdf; name=a.pdf", "behind it"),
  );
  const message = await parseMessage(Readable.from(Buffer.from(source)), buffer, AbortSignal.timeout(30_000), 1_000);
  expect(message).toMatchObject({ text: "x".repeat(1_000), isCut: true });
  expect(message.attachments.map(({ stored }) => stored.toString())).toEqual(["behind it\r\n"]);
});
