import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines, realAddress } from "../../test-support/answer.ts";

const id = "part1.k3vT2sQ1.0pIq8Xrw@home.example";
const outside = "part1.k3vT2sQ1.0pIq8Xrw@proxy.example";

const related = (html: string, contentId: string) => [
  `Content-Type: multipart/related; boundary="r";\r\n start="<root@mail.home.example>"`,
  ...["", "--r", "Content-Type: text/html; charset=utf-8", "Content-ID: <root@mail.home.example>", "", html, "--r"],
  ...['Content-Type: image/png; name="a.png"', `Content-ID:\r\n <${contentId}>`, "", "x", "--r--", ""],
];
const composed = async (...parts: readonly string[]) => {
  const { message, leaks } = await compose(lines(answerHeader("MIME-Version: 1.0", ...parts)));
  return { text: message.toString().replaceAll("=\r\n", "").replaceAll("=3D", "="), leaks };
};

test.each([
  ["as it is", id],
  ["percent-encoded", id.replace("@", "%40")],
  ["by a reference", id.replace("@", "&#64;")],
])("identifiers of parts, and what refers to them, do not name the author's domain: %s", async (_name, written) => {
  const { text, leaks } = await composed(...related(`<p><img src="cid:${written}"></p>`, id));
  expect(leaks).toEqual([]);
  expect(text).not.toContain("home.example");
  expect(text).toContain(`<img src="cid:${outside}">`);
  expect(text).toContain(`Content-ID:\r\n <${outside}>\r\n`);
  expect(text).toContain('start="<root@proxy.example>"');
  expect(text).toContain("Content-ID: <root@proxy.example>\r\n");
});

test.each([
  ["in a style", `<td style="background-image: url(&quot;cid:${id}&quot;)">x</td>`],
  ["in a style, by numbers", `<td style="background-image: url(&#39;cid:${id}&#x27;)">x</td>`],
  ["before a comma", `<img srcset="cid:${id}, cid:${id} 2x">`],
  ["before another one", `<img srcset="cid:${id},cid:${id} 2x">`],
  ["before another one in a style", `<i style="src:&quot;cid:${id}&quot;,&quot;cid:${id}&quot;">x</i>`],
  ["before a blank that does not break", `<p>cid:${id}&nbsp;is the picture</p>`],
])("what stands right behind a reference stays: %s", async (_name, html) => {
  const { text, leaks } = await composed(...related(html, id));
  expect(leaks).toEqual([]);
  expect(text).toContain(html.replaceAll(id, outside));
  expect(text).not.toContain("home.example");
});

test("identifiers of other domains stay", async () => {
  const { text } = await composed(
    ...related('<img src="cid:image001.png@01DC59F6.12345678">', "image001.png@01DC59F6"),
  );
  expect(text).toContain("cid:image001.png@01DC59F6.12345678");
  expect(text).toContain("<image001.png@01DC59F6>");
});

test("one that is the real address is held, and signed parts stay as they are", async () => {
  expect((await composed(...related("<p>x</p>", realAddress))).leaks).toEqual(['in the attachment "a.png"']);
  const signed = related(`<img src="cid:${id}">`, id);
  const { text } = await composed(
    ...['Content-Type: multipart/signed; boundary="s"', "", "--s", ...signed, "--s"],
    ...["Content-Type: application/pgp-signature", "", "sig", "--s--", ""],
  );
  expect(text).toContain(signed.join("\r\n"));
});

const picture = (contentId: string) => [
  ...['Content-Type: image/png; name="a.png"', `Content-ID: <${contentId}>`, "", "x"],
];
const withPicture = (type: string, text: string, contentId = id) => [
  ...['Content-Type: multipart/related; boundary="r"', "", "--r", "Content-Type: text/html; charset=utf-8", ""],
  ...[`<img src="cid:${id}">`, "--r", `Content-Type: ${type}`, "", text, "--r"],
  ...[...picture(contentId), "--r--", ""],
];

test.each([
  ["over the size that is rewritten", "text/html; charset=utf-8", "<p>x</p>\r\n".repeat(450_000)],
  ["in a charset that is unknown", "text/html; charset=x-unknown", ""],
  ["attached", 'text/html; charset=utf-8; name="page.html"', ""],
  ["a calendar", "text/calendar; charset=utf-8", ""],
])("all identifiers stay where a text that refers to one is not rewritten: %s", async (_name, type, filling) => {
  const { text, leaks } = await composed(...withPicture(type, `<img src="cid:${id.replace("@", "%40")}">${filling}`));
  expect(leaks).toEqual([]);
  expect(text).not.toContain(outside);
  expect(text).toContain(`<img src="cid:${id}">`);
  expect(text).toContain(`<img src="cid:${id.replace("@", "%40")}">`);
  expect(text).toContain(`Content-ID: <${id}>\r\n`);
});

test("a text that is not rewritten and refers to no identifier of the author's domain keeps none of them", async () => {
  const { text } = await composed(
    ...withPicture('text/html; name="page.html"', '<img src="cid:x@01DC59F6"> acid: y@home.example.'),
  );
  expect(text).toContain(`<img src="cid:${outside}">`);
  expect(text).toContain(`Content-ID: <${outside}>\r\n`);
});

test.each([
  ["a text that refers to no part of the message", 'text/html; name="page.html"'],
  ["what is no text", 'application/pdf; name="page.pdf"'],
])("identifiers do not stay because of %s", async (_name, type) => {
  const { text } = await composed(...withPicture(type, `<img src="cid:other.${id}">`));
  expect(text).toContain(`<img src="cid:${outside}">`);
  expect(text).toContain(`Content-ID: <${outside}>\r\n`);
});

test.each([
  ["%2E for a full stop", `cid:${id.replace("@", "%40").replaceAll(".", "%2E")}`],
  ["upper case in its domain", `CID:${id.replace("home", "HOME")}`],
  ["punctuation behind it", `cid:${id}.`],
])("a reference that is not rewritten is found with %s", async (_name, written) => {
  const { text } = await composed(...withPicture("application/xhtml+xml", `<img src="${written}"/>`));
  expect(text).toContain(`Content-ID: <${id}>\r\n`);
});

const everyOctet = (text: string) => text.replaceAll(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`);

// RFC 2392, section 2: a reference is percent-encoded, and a client decodes it before it looks for the Content-ID.
test.each([
  ["of full stops", id, `cid:${id.replaceAll(".", "%2E")}`],
  ["of the domain's full stop", id, `cid:${id.replace("home.", "home%2e")}`],
  ["of a letter of the domain", id, `cid:${id.replace("@h", "@%68")}`],
  ["of the last label", id, `cid:${id.replace("example", everyOctet("example"))}`],
  ["of everything", id, `cid:${everyOctet(id)}`],
  ["of a reference's per cent sign", id, `cid:${id.replace("@", "&#37;40").replaceAll(".", "&#x25;2E")}`],
  ["of a per cent sign of the identifier", "5%2e@home.example", "cid:5%252e@home%2Eexample"],
  ["of a quotation mark", 'a&"b@home.example', "cid:a&amp;&#34;b@home.example"],
])("a reference is found with an encoding %s, and leads to its part outside", async (_name, contentId, written) => {
  const { text, leaks } = await composed(...related(`<p><img src="${written}" alt="x"></p>`, contentId));
  expect(leaks).toEqual([]);
  const [, outsideReference = ""] = /<img src="cid:([^"]*)" alt="x">/.exec(text) ?? [];
  expect(decodeURIComponent(outsideReference)).toBe(contentId.replace("@home.example", "@proxy.example"));
  expect(text).not.toMatch(/home(?:\.|%2e)example/i);
});

test.each([
  ["as it stands", "cid:part1%40home.example"],
  ["encoded once more", "cid:part1%2540home.example"],
])(
  "an identifier that a program has percent-encoded itself is the same as what refers to it: %s",
  async (_name, written) => {
    const { text } = await composed(...related(`<img src="${written}">`, "part1%40home.example"));
    expect(text).toContain('<img src="cid:part1@proxy.example">');
    expect(text).toContain("Content-ID:\r\n <part1@proxy.example>\r\n");
    const kept = await composed(
      ...withPicture('text/html; name="a.html"', `<img src="${written}">`, "part1%40home.example"),
    );
    expect(kept.text).toContain(`<img src="${written}">`);
    expect(kept.text).toContain("Content-ID: <part1%40home.example>\r\n");
  },
);

test("one that is the real address is held in whatever encoding a reference has it", async () => {
  const { leaks } = await composed(...related(`<img src="cid:${everyOctet(realAddress)}">`, "x@01DC59F6"));
  expect(leaks).toEqual(["in the text that you wrote"]);
});

test("identifiers stay where a signed text refers to a part outside of its signature", async () => {
  const signed = ["--s", "Content-Type: text/html", "", `<img src="cid:${id}">`, "--s"];
  const { text } = await composed(
    ...['Content-Type: multipart/related; boundary="r"', "", "--r", 'Content-Type: multipart/signed; boundary="s"', ""],
    ...[...signed, "Content-Type: application/pgp-signature", "", "sig", "--s--", "--r", ...picture(id), "--r--", ""],
  );
  expect(text).toContain(`Content-ID: <${id}>\r\n`);
});

test("of a message whose identifiers stay, one with the real address in it is held", async () => {
  const { leaks } = await composed(
    ...withPicture('text/html; name="page.html"', `<img src="cid:${id}">`, `1.${realAddress}`),
  );
  expect(leaks).toEqual(['in the attachment "a.png"']);
});
