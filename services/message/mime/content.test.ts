import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseFields, textAsBytes } from "../header/fields.ts";
import { describeContent } from "./content.ts";
import { parameterText, parseParameterized } from "./parameters.ts";

function parsed(body: string): [string, Record<string, string | undefined>] {
  const { value, parameters } = parseParameterized(textAsBytes(body));
  return [value, Object.fromEntries([...parameters].map(([name, parameter]) => [name, parameterText(parameter)]))];
}

test.each([
  ["text/plain", "text/plain", {}],
  ["Text/Plain; Charset=UTF-8", "text/plain", { charset: "UTF-8" }],
  ['text/plain; charset = "utf-8" ; format=flowed', "text/plain", { charset: "utf-8", format: "flowed" }],
  ["(a) text/plain (b (c)) ; (d) charset (e) = (f) utf-8 (g)", "text/plain", { charset: "utf-8" }],
  ['a/b; name="a \\"b\\"; c=d"', "a/b", { name: 'a "b"; c=d' }],
  ["a/b; name=my file (2).pdf; x=y", "a/b", { name: "my file (2).pdf", x: "y" }],
  ["a/b; name=one; name=two", "a/b", { name: "one" }],
  ["a/b; name=ünï.txt", "a/b", { name: "ünï.txt" }],
  ["a/b; name==?utf-8?q?=C3=A4.txt?=", "a/b", { name: "ä.txt" }],
  ['a/b; name="=?utf-8?b?w6Q=?= =?utf-8?b?w6Q=?="', "a/b", { name: "ää" }],
  ["a/b; name*=utf-8'en'%C3%A4%20b", "a/b", { name: "ä b" }],
  ["a/b; name*=iso-8859-1''%E4; name=plain", "a/b", { name: "ä" }],
  ["a/b; name=plain; name*=iso-8859-1''%E4", "a/b", { name: "ä" }],
  ['a/b; name*0="a;"; name*1=b; name*2="c"', "a/b", { name: "a;bc" }],
  ["a/b; name*1*=%C3; name*0*=utf-8''a; name*2*=%A4; name*3=%20", "a/b", { name: "aä%20" }],
  ["a/b; name*1=lost; x=y", "a/b", { x: "y" }],
  ["a/b; name*=x-none''%C3%A4", "a/b", { name: "ä" }],
  ["a/b; name*=%41", "a/b", { name: "A" }],
  ['a/b; name="unclosed; x=y', "a/b", { name: "unclosed; x=y" }],
  ["a/b; x=(unclosed", "a/b", { x: "(unclosed" }],
  ["a/b;; ; flag; =v; x=", "a/b", { x: "" }],
  ["", "", {}],
  ["a/b; __proto__=c; constructor=d", "a/b", { ["__proto__"]: "c", constructor: "d" }],
])("%j is %j with %j", (body, value, parameters) => {
  expect(parsed(body)).toEqual([value, parameters]);
});

const describe = (header: string) => describeContent(parseFields(Buffer.from(header)));

test.each([
  ["", { type: "text/plain", isTypeStated: false, charset: undefined, disposition: "", transferEncoding: "" }],
  ["Content-Type: text\r\n", { type: "text/plain", isTypeStated: false }],
  ["Content-Type: TEXT/HTML charset=x\r\n", { type: "text/html", isTypeStated: true }],
  [
    'Content-Type: text/plain; charset=" utf-8 "; format=Flowed; delsp=YES\r\n',
    { charset: "utf-8", isFlowed: true, deletesSpaces: true },
  ],
  ['Content-Type: multipart/mixed; boundary="a b  "\r\n', { boundary: "a b" }],
  ['Content-Type: multipart/mixed; boundary="=?utf-8?q?a?="\r\n', { boundary: "=?utf-8?q?a?=" }],
  ["Content-Type: multipart/mixed; boundary=\r\n", { boundary: undefined }],
  ["Content-Type: text/plain; boundary=a\r\n", { boundary: undefined }],
  ["Content-Transfer-Encoding: (a) Base64 (b)\r\n", { transferEncoding: "base64" }],
  [
    "Content-Disposition: Attachment; filename=a\r\nContent-Type: a/b; name=c\r\n",
    { disposition: "attachment", fileName: "a" },
  ],
  ["Content-Disposition: inline\r\nContent-Type: a/b; name=c\r\n", { disposition: "inline", fileName: "c" }],
  ["Content-Id: <a@b> \r\n", { contentId: "a@b" }],
  ["Content-Id: <>\r\n", { contentId: undefined }],
])("%j describes %j", (header, content) => {
  expect(describe(header)).toMatchObject(content);
});

test("property: a value written by the grammar, in any of its forms, is read as what it means", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  const token = fc.stringMatching(/^[A-Za-z0-9!#$&^_.+-]{1,10}$/);
  const content = fc.string({ unit: fc.constantFrom(..."ab ;=\"\\()ä%'"), maxLength: 10 });
  const space = fc.constantFrom("", " ", " (a;b) ");
  const percent = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const forms = fc.oneof(
    fc.tuple(name, token).map(([key, value]) => ({ key, value, text: [`${key}=${value}`] })),
    fc
      .tuple(name, content)
      .map(([key, value]) => ({ key, value, text: [`${key}="${value.replaceAll(/["\\]/g, "\\$&")}"`] })),
    fc.tuple(name, content).map(([key, value]) => ({ key, value, text: [`${key}*=utf-8''${percent(value)}`] })),
    fc.tuple(name, fc.array(token, { minLength: 1, maxLength: 4 })).map(([key, values]) => ({
      key,
      value: values.join(""),
      text: values.map((value, index) => `${key}*${index}="${value}"`),
    })),
  );
  const list = fc.uniqueArray(forms, { selector: ({ key }) => key, maxLength: 4 });
  fc.assert(
    fc.property(list, space, (given, between) => {
      const pieces = ["a/b", ...given.flatMap(({ text }) => text)];
      const [, parameters] = parsed(pieces.join(`${between};${between}`));
      expect(parameters).toEqual(Object.fromEntries(given.map(({ key, value }) => [key, value])));
    }),
    { numRuns: 1_000 },
  );
});
