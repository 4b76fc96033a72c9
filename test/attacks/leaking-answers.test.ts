import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  answerContent,
  answerHeader,
  compose,
  lines,
  realAddress,
} from "../../services/forwarder/test-support/answer.ts";
import { zipFile } from "../../services/forwarder/test-support/zip-file.ts";

// Who finds a spelling that is overlooked here learns the real address behind a proxy address.

/** How an address can stand in a message; written apart from how it is searched for. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replaceAll("@", "%40"),
  (text) => [...Buffer.from(text)].map((octet) => `%${octet.toString(16).padStart(2, "0")}`).join(""),
  (text) => text.replace("@", "=40"),
  (text) => text.replace("@", "=\r\n@"),
  (text) => text.replace("@", "&#64;"),
  (text) => text.replace("@", "&#x40;").replace(".", "&period;"),
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(`x${text}`).toString("base64"),
  (text) => Buffer.from(`xy${text.toLowerCase()}z`).toString("base64"),
  (text) => Buffer.from(`some text before ${text}`).toString("base64").replaceAll(/.{20}/g, "$&\r\n"),
  (text) => `=?utf-8?b?${Buffer.from(text).toString("base64")}?=`,
  (text) => `=?utf-8?q?${text.replace("@", "=40")}?=`,
  (text) => Buffer.from(text, "utf16le").toString("latin1"),
];
const placements: readonly ((found: string) => string)[] = [
  (found) => lines(answerHeader(`Subject: about ${found.replaceAll("\r\n", "")}`), "", "text", ""),
  (found) => lines(answerHeader(), "", `my address is ${found} , write there`, ""),
  (found) => lines(answerHeader("Content-Transfer-Encoding: quoted-printable"), "", found, ""),
  (found) => lines(answerHeader("Content-Type: text/html"), "", `<p>mail <a href="mailto:${found}">me</a></p>`, ""),
  (found) =>
    lines(
      answerHeader("Content-Type: text/plain", "Content-Transfer-Encoding: base64"),
      "",
      Buffer.from(found, "latin1").toString("base64"),
      "",
    ),
  (found) =>
    lines(
      answerHeader('Content-Type: multipart/mixed; boundary="b"'),
      ...["", found, "--b", "", "text", "--b"],
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      ...[
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from(`\x01${found}`, "latin1").toString("base64"),
        "--b--",
        "",
      ],
    ),
  (found) =>
    lines(
      answerHeader('Content-Type: multipart/signed; boundary="s"'),
      ...["", "--s", "", `> ${found}`, "--s", "Content-Type: application/pgp-signature", "", "sig", "--s--", ""],
    ),
  (found) =>
    lines(
      answerHeader('Content-Type: multipart/mixed; boundary="b"'),
      ...["", "--b", `Content-Description: ${found.replaceAll("\r\n", "")}`, "", "text", "--b--", found, ""],
    ),
  (found) =>
    lines(answerHeader(), "", "On Monday, Ann wrote:", `> to ${found.replaceAll("\r\n", "\r\n> ")}`, "", "fresh", ""),
  (found) => lines(answerHeader("Content-Type: text/html"), "", `<p>x</p><blockquote>to ${found}</blockquote>`, ""),
];

test("whatever encoding the real address stands in, and wherever: it is replaced, or the answer is held", async () => {
  for (const place of placements)
    for (const spell of spellings) {
      const { message, leaks } = await compose(place(spell(realAddress)));
      if (leaks.length === 0) expectWithout(message);
    }
});

test("what leaves to a stranger who guessed the real address is the same as after a wrong guess", async () => {
  const guessed = "re+guessguessguessguessguessg@proxy.example";
  const withGuess = lines(
    answerHeader(`Cc: ${guessed}`),
    "",
    "On Monday, Ann wrote:",
    `> to Guess <${guessed}>`,
    "",
    "fresh",
    "",
  );
  const leaving = async (address: string, raw = withGuess) => {
    const named = [{ contactId: "", address, reverseAddress: guessed }];
    const made = await compose(raw, { named });
    return { text: made.message.toString("latin1"), leaks: made.leaks };
  };
  const wrong = await leaving("wrong@home.example");
  expect(wrong.text).toContain("\r\nCc: <wrong@home.example>\r\n");
  for (const right of answerContent.realAddresses) {
    const { text, leaks } = await leaving(right);
    expect(leaks).toEqual([]);
    expect(text).toBe(wrong.text.replaceAll("wrong@home.example", right));
    // What the owner wrote is held all the same.
    expect((await leaving(right, withGuess.replace("fresh", `I am ${right}`))).leaks).toEqual([
      "in the text that you wrote",
    ]);
  }
});

test("no generated answer leaves with the real address in it", async () => {
  // 10,000 for a release; fewer each time.
  const numRuns = Number(process.env["ANSWER_RUNS"] ?? 300);
  const noise = fc.string({ maxLength: 40 });
  const generated = fc.record({
    place: fc.constantFrom(...placements),
    spell: fc.constantFrom(...spellings),
    address: fc.constantFrom(...answerContent.realAddresses),
    before: noise,
    after: noise,
  });
  await fc.assert(
    fc.asyncProperty(generated, async ({ place, spell, address, before, after }) => {
      const { message, leaks } = await compose(place(`${before}${spell(address)}${after}`));
      if (leaks.length === 0) expectWithout(message);
    }),
    { numRuns },
  );
});

const attached = (bytes: Buffer) =>
  lines(
    answerHeader('Content-Type: multipart/mixed; boundary="b"'),
    ...["", "--b", "", "text", "--b", 'Content-Type: application/zip; name="a.docx"'],
    ...["Content-Transfer-Encoding: base64", "", bytes.toString("base64"), "--b--", ""],
  );
const leaksIn = async (...entries: Parameters<typeof zipFile>[0]) => (await compose(attached(zipFile(entries)))).leaks;

test("a document that unpacks to much is searched as far as there is room, and held where there is more", async () => {
  const document = { name: "word/document.xml", content: Buffer.from(`<w:t>${realAddress}</w:t>`) };
  const much = Buffer.alloc(5 * 1024 * 1024, "x ");
  const found = ['in the attachment "a.docx"'];
  const beyond = ['in the attachment "a.docx", which has more packed in it than is searched'];
  expect(await leaksIn({ name: "word/media/a.png", content: much }, document)).toEqual(found);
  expect(await leaksIn({ ...document, content: Buffer.concat([document.content, much]) })).toEqual(found);
  expect(await leaksIn({ ...document, content: Buffer.concat([much, document.content]) })).toEqual(beyond);
  expect(await leaksIn({ name: "a.xml", content: much }, document)).toEqual(beyond);
  expect(
    await leaksIn({ name: "word/media/a.png", content: much }, { ...document, content: Buffer.from("x") }),
  ).toEqual([]);
});

const [local = "", domain = ""] = realAddress.split("@");

test.each([
  ["over runs", `<w:p><w:r><w:t>${local}@</w:t></w:r><w:r><w:t>${domain}</w:t></w:r></w:p>`],
  ["over indented runs", `<w:r>\n  <w:t>${local}@</w:t>\n</w:r>\n<w:r>\n  <w:t>${domain}</w:t>\n</w:r>`],
  [
    "around what was deleted",
    `<w:t>${local}@</w:t><w:del><w:delText>old.example</w:delText></w:del><w:ins><w:t>${domain}</w:t></w:ins>`,
  ],
  ["around a field's code", `<w:t>${local}</w:t><w:instrText>PAGE</w:instrText><w:t>@${domain}</w:t>`],
  ["over runs of a cell", `<si>\n<r><t>${local}</t></r>\n<r><rPr/><t>@${domain}</t></r>\n</si>`],
  ["over runs of a slide", `<a:r>\n<a:t>${local}@</a:t>\n</a:r>\n<a:r><a:rPr/>\n<a:t>${domain}</a:t></a:r>`],
  ["around an attribute with a greater-than sign", `<p>${local}<s name="a>b">@${domain}</s></p>`],
  ["over a CDATA section", `<p>${local}<![CDATA[@]]>${domain}</p>`],
  ["around a comment with tags", `<p>${local}<!-- <b>x</b> -->@${domain}</p>`],
  ["with a soft hyphen in it", `<w:t>${local}\u00ad@</w:t>\n<w:t>${domain}</w:t>`],
  ["as references", `<w:t>${local}&#64;</w:t>\n<w:t>${domain.replace(".", "&#46;")}</w:t>`],
  ["in UTF-16", Buffer.from(`\ufeff<w:t>${local}@</w:t>\n<w:t>${domain}</w:t>`, "utf16le")],
])("a document with the real address %s is held", async (_name, content) => {
  const entry = { name: "word/document.xml", content: Buffer.from(content as string) };
  expect(await leaksIn(entry)).toEqual(['in the attachment "a.docx"']);
});

test("a document is read paragraph by paragraph", async () => {
  const content = Buffer.from(`<w:p>\n<w:t>${local}@</w:t>\n</w:p>\n<w:p>\n<w:t>${domain}</w:t>\n</w:p>`);
  expect(await leaksIn({ name: "word/document.xml", content })).toEqual([]);
});

test("lines of flowed text are put together as its reader does", async () => {
  const leaksOf = async (parameters: string, ...body: string[]) =>
    (await compose(lines(answerHeader(`Content-Type: text/plain${parameters}`), "", ...body, ""))).leaks;
  const found = ["in the text that you wrote"];
  const flowed = "; format=flowed; delsp=yes";
  expect(await leaksOf(flowed, `I am ${local}@ `, domain)).toEqual(found);
  expect(await leaksOf(flowed, `I am ${local} `, ` @${domain}`)).toEqual(found);
  expect(await leaksOf(flowed, "On Monday, Ann wrote:", `> ${local}@ `, `> ${domain}`, "", "yes")).toEqual(found);
  expect(await leaksOf("; format=flowed", `I am ${local}@ `, domain)).toEqual([]);
  expect(await leaksOf(flowed, `I am ${local}@`, domain)).toEqual([]);
  expect(await leaksOf(flowed, `I am ${local}@ `, `> ${domain}`)).toEqual([]);
  expect(await leaksOf("", `I am ${local}@ `, domain)).toEqual([]);
});

function expectWithout(message: Buffer): void {
  const text = message.toString("latin1");
  const lower = text.toLowerCase();
  const bare = text.replaceAll(/[\r\n> ]/g, "");
  for (const address of answerContent.realAddresses.flatMap((each) => [each, each.toLowerCase(), each.toUpperCase()])) {
    expect(lower).not.toContain(address.toLowerCase());
    expect(lower).not.toContain([...address.toLowerCase()].join("\0"));
    expect(lower.replaceAll("=\r\n", "").replaceAll("=40", "@")).not.toContain(address.toLowerCase());
    expect(lower.replaceAll("%40", "@")).not.toContain(address.toLowerCase());
    for (const offset of [0, 1, 2]) expect(bare).not.toContain(base64At(address, offset));
  }
}

/** What is in base64 of any text with it at this offset. */
function base64At(address: string, offset: number): string {
  const whole = Buffer.from("x".repeat(offset) + address).toString("base64");
  const from = [0, 2, 3][offset] ?? 0;
  const spare = (offset + address.length) % 3;
  return whole.slice(from, spare === 0 ? undefined : whole.indexOf("=") - 1);
}
