import { expect, test } from "@jest/globals";
import { readLeaves } from "./leaves.ts";

test("the leaves of a message, decoded", () => {
  const message = Buffer.from(
    [
      "Content-Type: multipart/mixed; boundary=a",
      "",
      "--a ",
      "Content-Type: multipart/alternative; boundary=b",
      "",
      "--b",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "a=3Db",
      "--a",
      "Content-Type: message/rfc822",
      "Content-Transfer-Encoding: base64",
      "",
      "U3ViamVjdDogeA==",
      "--a--",
      "",
    ].join("\r\n"),
  );
  const leaves = readLeaves(message, { entities: 10, depth: 5, headerBytes: 1_000 });
  expect(leaves.map(({ entity, bytes }) => [entity.content.type, bytes.toString()])).toEqual([
    ["text/plain", "a=b"],
    ["message/rfc822", "Subject: x"],
  ]);
});
