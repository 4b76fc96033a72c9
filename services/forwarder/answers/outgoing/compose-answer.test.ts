import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines, realAddress, reverseAddress } from "../../test-support/answer.ts";
import { zipFile } from "../../test-support/zip-file.ts";

test("quotes in the manner of many programs are rewritten and leave", async () => {
  const outlook = lines(
    "Yes.",
    "",
    "-----Original Message-----",
    `From: Ann <${reverseAddress}>`,
    `To: ${realAddress}`,
    "Subject: x",
    "",
    "Hi",
  );
  const header2 = lines(
    "Yes.",
    "",
    `From: Ann <${reverseAddress}>`,
    "Sent: Monday",
    `To: ${realAddress}`,
    "Subject: x",
    "",
    "Hi",
  );
  const gmail = `<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">On Monday <a href="mailto:${reverseAddress.replace("+", "%2B")}">Ann</a> wrote:</div><blockquote>to ${realAddress}</blockquote></div>`;
  const apple = `<div>Yes.</div><div>On Monday, Ann &lt;${reverseAddress}&gt; wrote:</div><blockquote type="cite">to ${realAddress}</blockquote>`;
  const otherLanguage = lines(
    "Ja.",
    "",
    `Van: Ann <${reverseAddress}>`,
    "Verzonden: maandag",
    `Aan: ${realAddress}`,
    "Onderwerp: x",
    "",
    `Dag ${realAddress}`,
  );
  const thunderbird = `<p>See below.</p><div class="moz-forward-container"><br>-------- Doorgestuurd bericht --------<table><tr><th>Van: </th><td>Ann &lt;${reverseAddress}&gt;</td></tr><tr><th>Aan: </th><td>${realAddress}</td></tr></table>x</div>`;
  const forwarded = `<p>See below.</p><p>-------- Forwarded Message --------</p><table><tr><th>To: </th><td>${realAddress}</td></tr><tr><th>From: </th><td>Ann &lt;${reverseAddress}&gt;</td></tr></table><p>x</p>`;
  const wrapped = `<p>Yes.</p><p>-----Original\r\n Message-----</p><p>To: ${realAddress}</p><p>Ann &lt;${reverseAddress}&gt;</p>`;
  const webMail = `<div>Yes.</div><div name="quote"><div><b>Gesendet:</b> Montag<br/><b>Von:</b> Ann &lt;${reverseAddress}&gt;<br/><b>An:</b> ${realAddress}<br/><b>Betreff:</b> x</div><div name="quoted-content">to ${realAddress}</div></div>`;
  for (const [type, body] of [
    ["text/plain", otherLanguage],
    ["text/html", thunderbird],
    ["text/html", forwarded],
    ["text/html", wrapped],
    ["text/html", webMail],
    ["text/plain", outlook],
    ["text/plain", header2],
    ["text/html", gmail],
    ["text/html", apple],
  ] as const) {
    const { message, leaks } = await compose(lines(answerHeader(`Content-Type: ${type}; charset=utf-8`), "", body, ""));
    expect([type, leaks]).toEqual([type, []]);
    const text = message.toString().replaceAll("=\r\n", "");
    expect(text).toContain("shop@proxy.example");
    expect(text).toContain("ann@shop.example");
  }
});

test.each(["text/calendar", "application/ics"])(
  "an answer to an invitation in %s names the proxy address",
  async (type) => {
    const calendar = lines(
      "BEGIN:VCALENDAR",
      `ORGANIZER:mailto:${reverseAddress}`,
      `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${realAddress}`,
      "END:VCALENDAR",
      "",
    );
    const { message, leaks } = await compose(
      lines(answerHeader(`Content-Type: ${type}; method=REPLY; charset=utf-8; name=invite.ics`), "", calendar),
    );
    expect(leaks).toEqual([]);
    const text = message
      .toString()
      .replaceAll("=\r\n", "")
      .replaceAll(/\r\n[ ]/g, "");
    expect(text).toContain("ATTENDEE;PARTSTAT=3DACCEPTED:mailto:shop@proxy.example");
    expect(text).toContain(`Content-Type: ${type}; charset=utf-8; method=REPLY`);
  },
);

test("an encrypted part leaves where the owner says so alone; a signature in fresh text, and a reverse address, are held", async () => {
  const encrypted = lines(
    answerHeader('Content-Type: multipart/encrypted; boundary="e"'),
    "",
    "--e",
    "",
    "x",
    "--e--",
    "",
  );
  expect((await compose(encrypted)).leaks).toEqual(["in an encrypted part, which cannot be searched"]);
  expect((await compose(encrypted, { sendsEncrypted: true })).leaks).toEqual([]);
  const zip = zipFile([{ name: "a.txt", content: Buffer.from("x"), isEncrypted: true }]).toString("latin1");
  const packed = lines(answerHeader('Content-Type: application/zip; name="a.zip"'), "", zip);
  expect((await compose(packed)).leaks).toEqual([
    'in the attachment "a.zip", which is encrypted and cannot be searched',
  ]);
  expect((await compose(packed, { sendsEncrypted: true })).leaks).toEqual([]);
  expect((await compose(lines(answerHeader(), "", "Hi", "-- ", realAddress, ""))).leaks).toEqual([
    "in the text that you wrote",
  ]);
  expect((await compose(lines(answerHeader(), "", `ask Bob at ${reverseAddress}`, ""))).leaks).toEqual([
    "in the text that you wrote",
  ]);
});

test("a contact whose address has the real one in it is no leak", async () => {
  const recipients = [{ contactId: "", address: `j${realAddress}`, reverseAddress }];
  expect((await compose(lines(answerHeader(), "", "Hi", ""), { recipients })).leaks).toEqual([]);
});

/** How HTML shows one address whole, though its source parts it. */
const partedInHtml: readonly (readonly [name: string, part: (address: string) => string])[] = [
  ["marked by a speller", (address) => address.replace(/^.*(?=@)/, "<span class=SpellE>$&</span>")],
  ["parted for line breaks", (address) => address.replace("@", "<wbr>@")],
  ["parted by tags with a > in an attribute", (address) => address.replace("@", '<b title="a>b">@</b>')],
  ["parted by a comment", (address) => address.replace("@", "<!-- <b> -->@")],
  ["parted by a space of no width", (address) => address.replace("@", "&#8203;@")],
  ["parted by a soft hyphen", (address) => address.replace(".", "&shy;.")],
  [
    "with references of all letters",
    (address) => address.replaceAll(/[a-z]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  ],
];

test.each(partedInHtml)(
  "an address in HTML, %s, is held in fresh text and replaced in quotations",
  async (_name, part) => {
    const composeHtml = (html: string) =>
      compose(lines(answerHeader("Content-Type: text/html; charset=utf-8"), "", html, ""));
    for (const address of [realAddress, reverseAddress])
      expect((await composeHtml(`<p>write to ${part(address)}</p>`)).leaks).toEqual(["in the text that you wrote"]);
    const quote = `<p>Yes.</p><blockquote>${part(reverseAddress)} to <i>${part(realAddress)}, you</i></blockquote>`;
    const { message, leaks } = await composeHtml(quote);
    expect(leaks).toEqual([]);
    const body = message.toString().split("\r\n\r\n")[1] ?? "";
    const html = body.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    const shown = html.replaceAll(/<!--.*?-->|<(?:"[^"]*"|[^">])*>|&#8203;|&shy;/g, "");
    expect(shown).toContain("ann@shop.example to shop@proxy.example, you");
    expect(html.match(/<\/?\w+/g)).toEqual(quote.match(/<\/?\w+/g));
  },
);

test("what HTML shows on two lines is no address to be replaced, as it is none in the text that was answered; it is held", async () => {
  for (const tag of ["<br>", "</p><p>", "</td><td>"]) {
    const html = `<blockquote><p>${realAddress.replace("@", `${tag}@`)}</p></blockquote>`;
    const { message, leaks } = await compose(lines(answerHeader("Content-Type: text/html"), "", html, ""));
    expect(leaks).toEqual(["in the text that you wrote"]);
    expect(message.toString()).toContain(html);
  }
});

test("what an author lists is no header block of a message without a reverse address in it", async () => {
  const listed = ["Call me:", "", "Phone: 1", `Mail: ${realAddress}`, "Web: home.example"];
  expect((await compose(lines(answerHeader(), "", ...listed, ""))).leaks).toEqual(["in the text that you wrote"]);
  const html = `<p>${listed.join("<br>")}</p>`;
  expect((await compose(lines(answerHeader("Content-Type: text/html"), "", html, ""))).leaks).toEqual([
    "in the text that you wrote",
  ]);
});

test("an address that invisible characters part in plain text is held, quoted too", async () => {
  for (const line of [realAddress, `> ${realAddress}`]) {
    const text = Buffer.from(line.replace("@", "\u200b@")).toString("latin1");
    const { leaks } = await compose(lines(answerHeader("Content-Type: text/plain; charset=utf-8"), "", text, ""));
    expect(leaks).toEqual(["in the text that you wrote"]);
  }
});

test("a long word in a quotation costs a time that goes with its length", async () => {
  const image = `<img src="data:image/png;base64,${"A".repeat(500_000)}">`;
  const before = performance.now();
  await compose(lines(answerHeader("Content-Type: text/html"), "", `<blockquote>${image}</blockquote>`, ""));
  expect(performance.now() - before).toBeLessThan(30_000);
});

test.each([
  ["A-labels of U-labels", "olive@bücher.example", "olive@xn--bcher-kva.example"],
  ["U-labels of A-labels", "olive@xn--bcher-kva.example", "Olive@Bücher.example"],
  ["upper case beyond ASCII", "özge@home.example", "ÖZGE@home.example"],
  ["a decomposed letter", "özge@home.example", "O\u0308zge@home.example"],
  ["a composed letter", "o\u0308zge@home.example", "Özge@home.example"],
])("a real address in another notation is held, and replaced in quotations: %s", async (_name, address, written) => {
  const composeWith = (text: string, type: string, encode = (body: string) => Buffer.from(body).toString("latin1")) =>
    compose(lines(answerHeader(`Content-Type: ${type}; charset=utf-8`), "", encode(text), ""), {
      realAddresses: [address],
    });
  const fresh = `write to ${written}`;
  const percent = (text: string) => encodeURIComponent(text);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  for (const [type, encode] of [
    ["text/plain"],
    ["text/html"],
    ["text/plain", percent],
    ["application/x", base64],
  ] as const)
    expect((await composeWith(fresh, type, encode)).leaks).toHaveLength(1);
  for (const [type, quote] of [
    ["text/plain", `Hi\r\n\r\nAnn wrote:\r\n> to ${written} `],
    ["text/html", `<p>Hi</p><blockquote>to ${written} </blockquote>`],
    ["text/html", `<p>Hi</p><blockquote>to ${written.replace("@", "<wbr>@")} </blockquote>`],
  ] as const) {
    const { message, leaks } = await composeWith(quote, type);
    expect(leaks).toEqual([]);
    expect(message.toString()).toContain("to shop@proxy.example");
  }
});

test.each(["bücher.example", "xn--bcher-kva.example"])(
  "an answer from a proxy address of an own domain names its contact, in To and in what it quotes: admitted with %s",
  async (domain) => {
    const token = "aaaabbbbccccddddeeeeffff22";
    const differences = {
      proxyAddress: "shop@bücher.example",
      recipients: [{ contactId: "", address: "ann@shop.example", reverseAddress: `re+${token}@${domain}` }],
    };
    for (const written of ["xn--bcher-kva.example", "XN--BCHER-KVA.example", "bücher.example"]) {
      const reverse = `re+${token}@${written}`;
      const header = answerHeader("Content-Type: text/plain; charset=utf-8").replace(reverseAddress, reverse);
      const raw = lines(header, "", "Yes.", "", `On Monday, Ann <${reverse}> wrote:`, "> Hello", "");
      const { message, leaks } = await compose(Buffer.from(raw).toString("latin1"), differences);
      expect(leaks).toEqual([]);
      expect(message.toString()).toContain("To: <ann@shop.example>");
      expect(message.toString()).toContain("Ann <ann@shop.example> wrote:");
    }
  },
);
