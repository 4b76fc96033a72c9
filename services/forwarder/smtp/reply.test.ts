import { expect, test } from "@jest/globals";
import { ReplyReader } from "./reply.ts";

test("reads replies of one and many lines, in whatever pieces they come", () => {
  const connection = "250-mx.example\r\n250-SIZE 1000\r\n250 PIPELINING\r\n354 go on\r\n421\r\n";
  const reader = new ReplyReader();
  const replies = [...connection].flatMap((character) => reader.push(character));
  expect(replies).toEqual([
    { code: 250, text: "250 mx.example SIZE 1000 PIPELINING", lines: ["mx.example", "SIZE 1000", "PIPELINING"] },
    { code: 354, text: "354 go on", lines: ["go on"] },
    { code: 421, text: "421", lines: [""] },
  ]);
  expect(new ReplyReader().push(connection)).toEqual(replies);
});

test("is no fool for what is not SMTP, or has no end", () => {
  expect(() => new ReplyReader().push("HTTP/1.1 400 Bad Request\r\n")).toThrow("not an SMTP reply");
  expect(() => new ReplyReader().push("250-x\r\n".repeat(20_000))).toThrow("without end");
  expect(() => new ReplyReader().push("2".repeat(100_000))).toThrow("without end");
});
