import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  bodyOf,
  bytesAsText,
  fieldsNamed,
  fieldText,
  headerField,
  parseFields,
  serializeFields,
  spelledName,
  textAsBytes,
  unfoldedBody,
} from "./fields.ts";

const parse = (section: string) => parseFields(Buffer.from(section, "latin1"));

test.each([
  ["a name in any case", "SUBJECT: x\r\n", "subject", "x"],
  ["blanks before the colon (RFC 5322 section 4.5.8)", "From \t : a@x.example\r\n", "from", "a@x.example"],
  ["a fold before the colon", "From\r\n : a@x.example\r\n", "from", "a@x.example"],
  [
    "several folds before the colon, one of them an empty one",
    "From \r\n \r\n\t:a@x.example\r\n",
    "from",
    "a@x.example",
  ],
  ["a folded body", "Subject: one\r\n two\r\n\tthree\r\n", "subject", "one two\tthree"],
  ["a body that begins on the next line", "Subject:\r\n one\r\n", "subject", "one"],
  ["a line of blanks within it", "Subject: one\r\n \r\n two\r\n", "subject", "one  two"],
  ["no body", "Subject:\r\n", "subject", ""],
  ["no line end", "Subject: x", "subject", "x"],
  ["line ends without CR", "Subject: one\n two\n", "subject", "one two"],
  [
    "what begins no field is the rest of the one before it",
    "Subject: one\r\ntwo three\r\n",
    "subject",
    "one two three",
  ],
  ["a name without a colon as well", "Subject: one\r\nFrom\r\n two\r\n", "subject", "one From two"],
])("%s", (_, section, name, body) => {
  const [field, ...rest] = parse(section);
  expect(rest).toEqual([]);
  expect(field?.name).toBe(name);
  expect(field && unfoldedBody(field)).toBe(body);
});

test("what stands before the first field is none", () => {
  const fields = parse("From a@x.example Mon Nov 23\r\nno field\r\nSubject: x\r\n");
  expect(fields.map(({ name }) => name)).toEqual(["", "subject"]);
});

test("an empty section has no fields", () => {
  expect(parse("")).toEqual([]);
});

test("fields are found by their names, top to bottom", () => {
  const fields = parse("A: 1\r\nB : 2\r\na: 3\r\n");
  expect(fieldsNamed(fields, "a").map(unfoldedBody)).toEqual(["1", "3"]);
  expect(bodyOf(fields, "b")).toBe("2");
  expect(bodyOf(fields, "c")).toBeUndefined();
  expect(fields.map(spelledName)).toEqual(["A", "B", "a"]);
});

test("a body as it is read: encoded, raw UTF-8, Latin-1", () => {
  const section = textAsBytes("A: =?utf-8?q?=C3=A4?=\r\nB: ä\r\n").concat("C: \xe4\r\n");
  expect(parse(section).map((field) => fieldText(field))).toEqual(["ä", "ä", "ä"]);
});

test("whatever the bytes, the fields together are all of the section", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom("From", "From :", "A: b", " folded", "\t", "", ":", "x y: z", "A\r", "\r"),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom("\r\n", "\n"), (lines, end) => {
      const section = textAsBytes(lines.map((text) => text + end).join(""));
      const fields = parse(section);
      // A line end of one field is CR LF or LF, as it came.
      const written = end === "\r\n" ? serializeFields(fields) : fields.map(({ raw }) => `${raw}\n`).join("");
      const isSame = end === "\r\n" ? !/(?<!\r)\n/.test(section) : !section.includes("\r\n");
      if (isSame) expect(written).toBe(section);
      expect(fields.slice(1).every(({ name }) => name !== "")).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("property: a field that was folded, anywhere that folds may stand, is read as it was", () => {
  const name = fc.stringMatching(/^[!-9;-~]{1,20}$/);
  const words = fc.array(fc.stringMatching(/^[!-~]{1,10}$/), { minLength: 1, maxLength: 10 });
  const space = fc.constantFrom(" ", "\t", "\r\n ", "\r\n\t", "  ");
  const fold = fc.array(space, { maxLength: 3 }).map((blanks) => blanks.join(""));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fold, fold, words), { minLength: 1, maxLength: 5 }),
      space,
      (given, between) => {
        const section = given
          .map(([key, before, after, text]) => `${key}${before}:${after}${text.join(between)}\r\n`)
          .join("");
        const fields = parse(section);
        expect(serializeFields(fields)).toBe(section);
        expect(fields.map((field) => field.name)).toEqual(given.map(([key]) => key.toLowerCase()));
        const blank = between.replace("\r\n", "");
        expect(fields.map(unfoldedBody)).toEqual(given.map(([, , , text]) => text.join(blank)));
      },
    ),
  );
});

test("a field of our own", () => {
  expect(serializeFields([headerField("X-Own", "1")])).toBe("X-Own: 1\r\n");
});

test("bytes that are UTF-8 are text, others are Latin-1", () => {
  expect(bytesAsText(textAsBytes("grüße €"))).toBe("grüße €");
  expect(bytesAsText("gr\xfc\xdfe")).toBe("grüße");
});
