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

/** Compressed RTF (MS-OXRTFCP section 2.1.3.1), as Outlook has its texts in winmail.dat: what came before is referred to. */
function compressedRtf(text: string): Buffer {
  const tokens: Buffer[] = [];
  const placeOf = (at: number, length: number) => Buffer.from([(207 + at) >> 4, (((207 + at) & 0xf) << 4) | length]);
  for (let at = 0; at < text.length; ) {
    let length = 1;
    while (length < 17 && text.slice(0, at).includes(text.slice(at, at + length + 1)) && at + length < text.length)
      length += 1;
    const found = text.indexOf(text.slice(at, at + length));
    tokens.push(length === 1 ? Buffer.from(text.slice(at, at + 1)) : placeOf(found, length - 2));
    at += length;
  }
  tokens.push(placeOf(text.length, 0));
  const data: Buffer[] = [];
  for (let at = 0; at < tokens.length; at += 8) {
    const group = tokens.slice(at, at + 8);
    const control = group.reduce((bits, { length }, bit) => bits | ((length - 1) << bit), 0);
    data.push(Buffer.from([control]), ...group);
  }
  const header = Buffer.alloc(16);
  header.writeUInt32LE(Buffer.concat(data).length + 12, 0);
  header.writeUInt32LE(text.length, 4);
  header.write("LZFu", 8, "latin1");
  return Buffer.concat([header, ...data]);
}

test("the text of Outlook's winmail.dat, which is compressed, is searched", async () => {
  const fields = ['Content-Type: application/ms-tnef; name="winmail.dat"', "Content-Transfer-Encoding: base64"];
  const winmail = (rtf: Buffer) => Buffer.concat([Buffer.from("789f3e22", "hex"), Buffer.alloc(40), rtf]);
  const leaksOf = async (text: string) =>
    (await compose(attached(fields, winmail(compressedRtf(text)).toString("base64")))).leaks;
  const quoted = `{\\rtf1\\ansi Von: Oliver <oliver@${domain}>\\par An: `;
  expect(await leaksOf(`${quoted}${realAddress}\\par}`)).toEqual(['in the attachment "winmail.dat"']);
  expect(await leaksOf(`${quoted}shop@proxy.example\\par}`)).toEqual([]);
});
