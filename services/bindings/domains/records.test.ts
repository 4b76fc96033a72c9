import { expect, test } from "@jest/globals";
import { type Expectations, evaluate, questionsOf } from "./records.ts";

const key = {
  selector: "r1",
  value: "v=DKIM1; k=rsa; p=AbCd",
  publicKey: "AbCd",
  stage: "current",
  keepUntil: null,
} as const;
const expected: Expectations = {
  name: "own.example",
  token: "abc",
  hosts: ["mx1.postern.example", "mx2.postern.example"],
  keys: [key],
  delegatedTo: undefined,
};
const right = {
  "_postern.own.example TXT": ["other=1", "postern-verify=abc"],
  "own.example MX": ["10 MX1.postern.example.", "20 mx2.postern.example"],
  "r1._domainkey.own.example TXT": ["v=DKIM1; k=rsa; p=Ab Cd"],
  "_dmarc.own.example TXT": ["v=DMARC1; p=none"],
  "own.example TXT": ["v=spf1 -all"],
};

function checked(found: Record<string, readonly string[] | undefined>, given = expected) {
  const { records, ...rest } = evaluate(given, new Map(Object.entries({ ...right, ...found })));
  return { ...rest, verdicts: Object.fromEntries(records.map(({ key: name, verdict }) => [name, verdict])), records };
}

test("all that is expected is asked for, and right where it is there", () => {
  expect(
    questionsOf(expected)
      .map((question) => question.join(" "))
      .sort(),
  ).toEqual(Object.keys(right).sort());
  const { verdicts, proof, published } = checked({});
  expect(new Set(Object.values(verdicts))).toEqual(new Set(["ok"]));
  expect([proof, published]).toEqual(["proved", ["r1"]]);
});

test.each([
  ["no record of ownership", { "_postern.own.example TXT": [] }, "absent", { ownership: "missing" }],
  ["another's token", { "_postern.own.example TXT": ["postern-verify=abcd"] }, "absent", { ownership: "wrong" }],
  ["no answer about it", { "_postern.own.example TXT": undefined }, "unknown", { ownership: "unknown" }],
  [
    "quotation marks of a form",
    { "_postern.own.example TXT": [' "postern-verify=abc" '] },
    "proved",
    { ownership: "ok" },
  ],
  ["other hosts alone", { "own.example MX": ["10 mx.other.example"] }, "absent", { "mx mx1.postern.example": "wrong" }],
  ["a null MX", { "own.example MX": ["0 "] }, "absent", { "mx mx1.postern.example": "wrong" }],
  ["no MX", { "own.example MX": [] }, "absent", { "mx mx1.postern.example": "missing" }],
  [
    "one host of two",
    { "own.example MX": ["5 mx2.postern.example"] },
    "proved",
    { "mx mx1.postern.example": "warning" },
  ],
  [
    "a foreign backup",
    { "own.example MX": ["10 mx1.postern.example", "20 mx2.postern.example", "30 mx.other.example"] },
    "proved",
    { "mx mx1.postern.example": "ok", "mx other": "warning" },
  ],
  [
    "no MX, and no answer about ownership",
    { "_postern.own.example TXT": undefined, "own.example MX": [] },
    "absent",
    {},
  ],
  [
    "no policies",
    { "_dmarc.own.example TXT": [], "own.example TXT": ["x"] },
    "proved",
    { dmarc: "advised", spf: "advised" },
  ],
])("%s", (_, found, proof, verdicts) => {
  expect(checked(found)).toMatchObject({ proof, verdicts });
});

test.each([
  ["missing", [], [], ["r1"]],
  ["wrong", ["v=DKIM1; p=AbCe"], [], ["r1"]],
  ["wrong", ["v=DKIM1; p="], [], ["r1"]],
  ["wrong", ["v=DKIM1; p=AbCd", "v=DKIM1; p=AbCe"], [], ["r1"]],
  ["unknown", undefined, [], []],
])("a key's record is %s", (verdict, texts, published, unpublished) => {
  const found = checked({ "r1._domainkey.own.example TXT": texts });
  expect(found).toMatchObject({ proof: "proved", published, unpublished, verdicts: { "dkim r1": verdict } });
});

test.each([
  ["next", "advised"],
  ["former", "warning"],
] as const)("the record of a %s key that is missing is no failure", (stage, verdict) => {
  const given = { ...expected, keys: [{ ...key, stage }] };
  expect(checked({ "r1._domainkey.own.example TXT": [] }, given)).toMatchObject({
    unpublished: ["r1"],
    verdicts: { "dkim r1": verdict },
  });
});

test("a delegated key is right by its CNAME, and published once the name that it points to has it", () => {
  const delegated = { ...expected, delegatedTo: (selector: string) => `${selector}.id._dkim.postern.example` };
  const owner = "r1._domainkey.own.example";
  const target = ["R1.id._dkim.postern.example."];
  expect(checked({ [`${owner} CNAME`]: target, [`${owner} TXT`]: [] }, delegated)).toMatchObject({
    published: [],
    unpublished: ["r1"],
    verdicts: { "dkim r1": "ok" },
  });
  expect(checked({ [`${owner} CNAME`]: target }, delegated)).toMatchObject({ published: ["r1"] });
  expect(checked({ [`${owner} CNAME`]: ["x.example"], [`${owner} TXT`]: [] }, delegated).verdicts).toMatchObject({
    "dkim r1": "wrong",
  });
});

test("what a stranger's name server says is cut, and holds nothing that cannot be stored", () => {
  const huge = Array.from({ length: 500 }, () => `\0\ud800${"x".repeat(60_000)}`);
  const found = checked({ "_postern.own.example TXT": huge }).records[0]?.found ?? "";
  expect(found.length).toBeLessThan(11_000);
  expect(found.includes("\0")).toBe(false);
  expect(found.isWellFormed()).toBe(true);
});
