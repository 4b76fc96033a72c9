import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines, realAddress } from "../../services/forwarder/test-support/answer.ts";
import { zipFile } from "../../services/forwarder/test-support/zip-file.ts";

// What an owner attaches to an answer names the real address where its source does not show it.

const [local, domain] = realAddress.split("@") as [string, string];

function attached(fields: readonly string[], body: string): string {
  return lines(
    answerHeader("MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"'),
    ...["", "--b", "", "text", "--b", ...fields, "", body, "--b--", ""],
  );
}

test.each([
  ["continued", `application/pdf; name*0="invoice of ${local}@ho"; name*1="me.example.pdf"`, ""],
  ["continued and encoded", "application/pdf", `filename*0*=utf-8''${local}%40; filename*1*=${domain}.pdf`],
  ["continued in its second name", `application/pdf; name*0="${local}@"; name*1="${domain}"`, "filename=a.pdf"],
  ["with quoted pairs", `application/pdf; name="${local}\\@${domain}"`, ""],
])("a file name that names it, %s, is held", async (_name, type, parameters) => {
  const disposition = parameters === "" ? [] : [`Content-Disposition: attachment; ${parameters}`];
  const fields = [`Content-Type: ${type}`, ...disposition];
  expect((await compose(attached(fields, "x"))).leaks).toHaveLength(1);
  expect((await compose(lines(answerHeader(...fields), "", "x", ""))).leaks).toHaveLength(1);
});

const document = zipFile([{ name: "word/document.xml", content: Buffer.from(`<w:t>${realAddress}</w:t>`) }]);
const place = "in an attachment";

test.each([
  ["HTML with tags in it", ["Content-Type: text/html"], `<p>${local}<b>@</b>${domain}</p>`, place],
  ["flowed text", ["Content-Type: text/plain; format=flowed; delsp=yes"], `${local}@ \r\n${domain}`, place],
  ["UTF-7", ["Content-Type: text/plain; charset=utf-7"], realAddress.replace("@", "+AEA-"), place],
  ["a file name", [`Content-Type: application/pdf; name*0="${local}@"; name*1="${domain}"`], "x", place],
  [
    "a document",
    ['Content-Type: application/octet-stream; name="a.docx"', "Content-Transfer-Encoding: base64"],
    document.toString("base64"),
    place,
  ],
  [
    "a message of its own",
    ["Content-Type: message/rfc822"],
    lines("Subject: x", "Content-Type: text/html", "", `${local}<b>@</b>${domain}`),
    place,
  ],
  [
    "what is encrypted",
    ['Content-Type: multipart/encrypted; boundary="e"'],
    lines("--e", "", "Version: 1", "--e", "", "-----BEGIN PGP MESSAGE-----", "--e--"),
    "in an encrypted part, which cannot be searched",
  ],
])("an attached message with %s is searched as one by itself is", async (_name, fields, body, found) => {
  const message = lines("From: ann@shop.example", "Subject: x", "MIME-Version: 1.0", ...fields, "", body);
  expect((await compose(attached(["Content-Type: message/rfc822"], message))).leaks).toEqual([found]);
});

test("messages within messages are searched so far, and held beyond", async () => {
  const nested = (depth: number): string =>
    depth === 0 ? "text" : lines("Subject: x", "Content-Type: message/rfc822", "", nested(depth - 1));
  expect((await compose(attached(["Content-Type: message/rfc822"], nested(3)))).leaks).toEqual([]);
  expect((await compose(attached(["Content-Type: message/rfc822"], nested(30)))).leaks).toEqual([
    "in parts that are nested too deep to be searched",
  ]);
});
