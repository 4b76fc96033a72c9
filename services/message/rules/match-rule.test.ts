import { expect, test } from "@jest/globals";
import { parseFields } from "../header/fields.ts";
import { factsOfHeader } from "./facts-of-header.ts";
import { firstMatch, type MailFacts, matchRule, type RuleConditions, unknownConditions } from "./match-rule.ts";
import { normalizeAddress, normalizeListId, normalizeTag, normalizeText } from "./normalize-values.ts";

const facts: MailFacts = {
  sender: "bounce@mail.shop.example",
  isClientIn: (networks) => networks.includes("192.0.2.0/24"),
  tag: "run42",
  from: ["ann@shop.example", "bob@far.example"],
  dmarc: "fail",
  dkim: "none",
  subjects: ["hello", "buy now: cheap"],
  listIds: ["offers.shop.example"],
  sizeBytes: 1_000,
};

test.each<[RuleConditions, boolean]>([
  [{}, true],
  [{ senders: ["bounce@mail.shop.example"] }, true],
  [{ senders: ["shop.example"] }, true],
  [{ senders: ["hop.example", "ounce@mail.shop.example", "<>"] }, false],
  [{ clientNetworks: ["10.0.0.0/8", "192.0.2.0/24"] }, true],
  [{ clientNetworks: ["10.0.0.0/8"] }, false],
  [{ tags: ["run42"] }, true],
  [{ tags: ["", "run4"] }, false],
  [{ from: ["far.example"] }, true],
  [{ from: ["ann@far.example"] }, false],
  [{ dmarc: ["none", "fail"] }, true],
  [{ dmarc: ["pass"] }, false],
  [{ dkim: ["none"] }, true],
  [{ dkim: ["fail", "pass", "unknown"] }, false],
  [{ subjectContains: ["buy now"] }, true],
  [{ subjectContains: ["hello buy"] }, false],
  [{ listIds: ["shop.example"] }, true],
  [{ listIds: ["offers"] }, false],
  [{ largerThan: 999 }, true],
  [{ largerThan: 1_000 }, false],
  [{ smallerThan: 1_001 }, true],
  [{ smallerThan: 1_000 }, false],
  [{ from: ["far.example"], largerThan: 999, tags: ["run42"] }, true],
  [{ from: ["far.example"], largerThan: 1_000, tags: ["run42"] }, false],
])("%j: %s", (conditions, isMatched) => {
  expect(matchRule(conditions, facts)).toBe(isMatched ? "matches" : "differs");
});

test("the null sender is matched by <> alone", () => {
  expect(matchRule({ senders: ["<>"] }, { sender: "" })).toBe("matches");
  expect(matchRule({ senders: ["shop.example"] }, { sender: "" })).toBe("differs");
});

test("what is not known leaves a rule undecided, unless what is known tells against it", () => {
  const atRcpt = { sender: "a@b.example", tag: "" };
  expect(matchRule({ from: ["x.example"] }, atRcpt)).toBe("unknown");
  expect(matchRule({ from: ["x.example"], senders: ["c.example"] }, atRcpt)).toBe("differs");
  expect(unknownConditions({ from: ["x.example"], senders: ["b.example"], largerThan: 1 }, atRcpt)).toEqual([
    "from",
    "largerThan",
  ]);
});

test("the first rule decides; one that may yet match keeps those behind it waiting", () => {
  const late = { conditions: { from: ["x.example"] } };
  const other = { conditions: { tags: ["other"] } };
  const early = { conditions: { senders: ["b.example"] } };
  const atRcpt = { sender: "a@b.example", tag: "" };
  expect(firstMatch([other, early, late], atRcpt)).toBe(early);
  expect(firstMatch([late, early], atRcpt)).toBe("undecided");
  expect(firstMatch([late, early], { ...atRcpt, from: ["a@x.example"] })).toBe(late);
  expect(firstMatch([other], atRcpt)).toBeUndefined();
});

test("letter case, normalisation, quotes and the notation of a domain make no difference", () => {
  expect(normalizeAddress('"Jo\u0308rg"@BÜCHER.example.')).toBe("jörg@xn--bcher-kva.example");
  expect(normalizeTag('"Alias+Run42"@x.example')).toBe("run42");
  expect(normalizeTag("+x@x.example")).toBe("");
  expect(normalizeText("  Buy\t\r\n NOW ")).toBe("buy now");
  expect(normalizeListId("Offers <Offers.Shop.example>")).toBe("offers.shop.example");
  expect(normalizeListId("offers.shop.example")).toBe("offers.shop.example");
});

test("subjects and lists are read decoded, of each field there is", () => {
  const header = ["Subject: =?utf-8?q?Caf=C3=A9?= NOW", "Subject: again", 'List-Id: "x" <l.shop.example>'].join("\r\n");
  expect(factsOfHeader(parseFields(Buffer.from(`${header}\r\n`)))).toEqual({
    subjects: ["café now", "again"],
    listIds: ["l.shop.example"],
  });
  expect(factsOfHeader([])).toEqual({ subjects: [], listIds: [] });
});
