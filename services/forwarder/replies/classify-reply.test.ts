import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { classifyReply, countsAgainstAddress } from "./classify-reply.ts";
import { reasons } from "./reasons.ts";
import { readWordings } from "./wording-table.ts";

const documented = readFileSync(new URL("./documented-replies.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" | ", 2) as [reason: string, reply: string]);

test("there are at least 150 replies, and wordings for each reason that words can give", () => {
  expect(documented.length).toBeGreaterThanOrEqual(150);
  expect(readWordings().length).toBeGreaterThanOrEqual(150);
  const worded = new Set<string>(readWordings().map(({ reason }) => reason));
  expect(Object.keys(reasons).filter((reason) => !worded.has(reason))).toEqual(["unknown"]);
});

test("each documented reply has the reason that it is to have", () => {
  const found = documented.map(([, reply = ""]) => `${classifyReply(reply).reason} | ${reply}`);
  expect(found).toEqual(documented.map(([reason, reply = ""]) => `${reason} | ${reply}`));
});

test("no wording stands twice, and each is in the form that it is compared in", () => {
  const phrases = readWordings().map(({ phrase }) => phrase);
  expect(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index)).toEqual([]);
  expect(phrases.filter((phrase) => phrase !== phrase.toLowerCase().replace(/\s+/g, " ").trim())).toEqual([]);
});

test("no reply that blames anything else counts against the address, whatever is quoted in it", () => {
  const innocent = documented.filter(([reason]) => reasons[reason as keyof typeof reasons].about !== "address");
  const quoted = fc.constantFrom("user unknown", "no such user", "mailbox disabled", "account does not exist");
  fc.assert(
    fc.property(fc.constantFrom(...innocent), quoted, ([reason, reply = ""], words) => {
      // Of these the codes say nothing, so that words count wherever they stand.
      fc.pre(reason !== "unknown" && reason !== "server-trouble");
      expect(countsAgainstAddress(classifyReply(`${reply} "${words}"`))).toBe(false);
    }),
  );
});

test("any text is classified, in bounded time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
      expect(Object.keys(reasons)).toContain(classifyReply(text).reason);
    }),
    { numRuns: 50 },
  );
});
