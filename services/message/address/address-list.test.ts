import { expect, test } from "@jest/globals";
import fc, { type Arbitrary } from "fast-check";
import { parseAddressList } from "./address-list.ts";

const shown = (body: string) =>
  parseAddressList(body).mailboxes.map(({ displayName, localPart, domain }) => `${displayName}|${localPart}|${domain}`);

test.each([
  ["a@x.example", ["|a|x.example"]],
  ["<a@x.example>", ["|a|x.example"]],
  ["Ann Lee <a@x.example>", ["Ann Lee|a|x.example"]],
  ['"Lee, Ann" <a@x.example>', ["Lee, Ann|a|x.example"]],
  ['"a \\"b\\" \\\\" <a@x.example>', ['a "b" \\|a|x.example']],
  ["John Q. Public <a@x.example>", ["John Q. Public|a|x.example"]],
  ["a@x.example (Ann (Lee))", ["Ann (Lee)|a|x.example"]],
  ["(one) a (two) . b (three) @ (four) x (five) . example (six)", ["six|a.b|x.example"]],
  ["postmaster @ postern . example", ["|postmaster|postern.example"]],
  ['"a b@c"@x.example', ["|a b@c|x.example"]],
  ["a@[192.0.2.1]", ["|a|[192.0.2.1]"]],
  ["Ann <@one.example,@two.example:a@x.example>", ["Ann|a|x.example"]],
  ["a@x.example, , b@y.example,", ["|a|x.example", "|b|y.example"]],
  ["Team: a@x.example, B <b@y.example>; , c@z.example", ["|a|x.example", "B|b|y.example", "|c|z.example"]],
  ["Undisclosed recipients:;", []],
  ["=?utf-8?q?J=C3=B6rg?= =?utf-8?q?_X?= <j@x.example>", ["=?utf-8?q?J=C3=B6rg?= =?utf-8?q?_X?=|j|x.example"]],
  ["Jörg <jörg@bücher.example>", ["Jörg|jörg|bücher.example"]],
  ["", []],
])("%j is well formed", (body, mailboxes) => {
  expect(shown(body)).toEqual(mailboxes);
  expect(parseAddressList(body).isWellFormed).toBe(true);
});

test.each([
  ["nobody", ["nobody||"]],
  ["Ann Lee", ["Ann Lee||"]],
  ["Ann a@x.example", ["Ann|a|x.example"]],
  ["a@b@x.example", ["|a|b", "|a@b|x.example"]],
  ["<a@x.example> <b@y.example>", ["|a|x.example", "|b|y.example"]],
  ["a@x.example b@y.example", ["|a|x.example", "|b|y.example"]],
  ["a@x.example <b@y.example>", ["|a|x.example", "|b|y.example"]],
  ["a@", ["|a|"]],
  ["<a@x.example", ["|a|x.example"]],
  ["a@x.example>", ["|a|x.example"]],
  ['"Ann <a@x.example>', ["Ann|a|x.example"]],
  ["(Ann <a@x.example>", ["Ann|a|x.example"]],
  ["[Ann] <a@x.example>", ["[Ann]|a|x.example"]],
  ["a;b@x.example", ["a||", "|b|x.example"]],
  ["Team: a@x.example", ["|a|x.example"]],
  ["a: b: c@x.example;", ["|c|x.example"]],
  ["=?utf-8?q?Doe,_J?= <a@x.example>", ["=?utf-8?q?Doe,_J?=|a|x.example"]],
  ["a\\@b <c@x.example>", ["|a|b", "|c|x.example"]],
])("%j is not, and everything that may pass for an address is found", (body, mailboxes) => {
  expect(shown(body)).toEqual(mailboxes);
  expect(parseAddressList(body).isWellFormed).toBe(false);
});

test("groups keep their members", () => {
  expect(parseAddressList("A: a@x.example, b@x.example;, c@x.example").entries).toEqual([
    {
      displayName: "A",
      members: [
        { displayName: "", localPart: "a", domain: "x.example" },
        { displayName: "", localPart: "b", domain: "x.example" },
      ],
    },
    { displayName: "", localPart: "c", domain: "x.example" },
  ]);
});

const atom = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/?^_`{|}~ä-]{1,8}$/);
const dotAtom = fc.array(atom, { minLength: 1, maxLength: 3 });
const comment: Arbitrary<string> = fc.letrec<{ comment: string }>((tie) => ({
  comment: fc
    .array(
      fc.oneof(
        { maxDepth: 2 },
        fc.stringMatching(/^[a-z ,@<>":;.]{0,6}$/),
        fc.constantFrom("\\(", "\\)", "\\\\"),
        tie("comment"),
      ),
      {
        maxLength: 3,
      },
    )
    .map((parts) => `(${parts.join("")})`),
})).comment;
const cfws = fc
  .array(fc.oneof(fc.constantFrom(" ", "\t", "  "), comment), { maxLength: 2 })
  .map((parts) => parts.join(""));
const quotedContent = fc.string({ unit: fc.constantFrom(...'ab .,;:@<>()[]\\"ä'), maxLength: 8 });
const quoted = (content: string) => `"${content.replaceAll(/["\\]/g, "\\$&")}"`;

/** A list of words with or without comments around them, and what they mean. */
const dotted = fc.tuple(dotAtom, cfws, cfws).map(([atoms, before, after]) => ({
  text: atoms.map((part) => before + part + after).join("."),
  meaning: atoms.join("."),
}));
const localPart = fc.oneof(
  dotted,
  fc
    .tuple(
      cfws,
      quotedContent.filter((text) => text !== ""),
    )
    .map(([before, content]) => ({ text: before + quoted(content), meaning: content })),
);
const domain = fc.oneof(dotted, fc.constant({ text: "[192.0.2.1]", meaning: "[192.0.2.1]" }));
const addrSpec = fc.tuple(localPart, domain).map(([local, host]) => ({
  text: `${local.text}@${host.text}`,
  meaning: { localPart: local.meaning, domain: host.meaning },
}));
const phrase = fc
  .array(
    fc.oneof(
      atom.map((text) => ({ text, meaning: text })),
      quotedContent
        .filter((text) => text.trim() !== "")
        .map((content) => ({ text: quoted(content), meaning: content })),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => ({
    text: words.map(({ text }) => text).join(" "),
    meaning: words.map(({ meaning }) => meaning).join(" "),
  }));
const mailbox = fc.oneof(
  addrSpec,
  fc
    .tuple(phrase, cfws, fc.constantFrom("", "@r.example:", "@r.example,@s.example :"), addrSpec)
    .map(([name, space, route, address]) => ({
      text: `${name.text}${space}<${route}${address.text}>`,
      meaning: { displayName: name.meaning, ...address.meaning },
    })),
);
const group = fc.tuple(phrase, fc.array(mailbox, { maxLength: 3 })).map(([name, members]) => ({
  text: `${name.text}:${members.map(({ text }) => text).join(",")};`,
  meaning: { displayName: name.meaning, members: members.map(({ meaning }) => meaning) },
}));

test("property: whatever the grammar of RFC 5322 allows, obsolete forms included, is read as what it means", () => {
  const list = fc.array(fc.oneof(mailbox, group, fc.constant({ text: " ", meaning: undefined })), { maxLength: 5 });
  fc.assert(
    fc.property(list, cfws, (entries, space) => {
      const parsed = parseAddressList(entries.map(({ text }) => text).join(`,${space}`));
      expect(parsed.isWellFormed).toBe(true);
      expect(parsed.entries).toMatchObject(
        entries.map(({ meaning }) => meaning).filter((meaning) => meaning !== undefined),
      );
    }),
    { numRuns: 1_000 },
  );
});

test("property: an address in brackets is found, whatever stands before it that encloses nothing, and whatever behind", () => {
  const before = fc.string({ unit: fc.constantFrom(..."ab .,;:@<>)]=?ä"), maxLength: 12 });
  const after = fc.string({ unit: fc.constantFrom(...'ab .,;:@<>()[]\\"=?ä'), maxLength: 12 });
  fc.assert(
    fc.property(before, after, (left, right) => {
      const { mailboxes } = parseAddressList(`${left}<ceo@corp.example>${right}`);
      expect(mailboxes).toContainEqual(expect.objectContaining({ localPart: "ceo", domain: "corp.example" }));
    }),
    { numRuns: 2_000 },
  );
});
