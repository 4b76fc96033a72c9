import { expect, test } from "@jest/globals";
import { parseFields } from "../../message/header/fields.ts";
import { forwardDelivery } from "../test-support/delivery.ts";
import { isAnswerable, mayReport } from "./may-report.ts";
import { describeOriginal } from "./original.ts";

const proved = {
  authorDomain: "sender.example",
  policy: "none",
  isDkimAligned: false,
  isSpfAligned: true,
  spf: "pass",
  arc: "none",
};
const told = (differences: Parameters<typeof forwardDelivery>[0], isAnswerable = true) =>
  mayReport(forwardDelivery({ authentication: proved, ...differences }), isAnswerable, "postern.example");

test("an author is told whose domain was proved, by SPF, or by DKIM where the envelope is theirs too", () => {
  expect(told({})).toBe(true);
  const byDkim = { ...proved, isSpfAligned: false, isDkimAligned: true, spf: "fail" };
  expect(told({ authentication: byDkim })).toBe(true);
  expect(told({ authentication: { ...byDkim, spf: "pass" }, envelopeSender: "x@esp.example" })).toBe(false);
});

test.each([
  ["author@sender.example", "Author <Author@sender.example>", true],
  ["victim@sender.example", "author@sender.example", false],
  ["author@sender.example", "author@sender.example, victim@sender.example", false],
  ["author@sender.example", "undisclosed", false],
])("a domain that is proved by DKIM alone lets %s be told of mail from %s: %s", (envelopeSender, from, isTold) => {
  const original = describeOriginal(parseFields(Buffer.from(`From: ${from}\r\n`)));
  const byDkim = { ...proved, isSpfAligned: false, isDkimAligned: true, spf: "pass" };
  expect(isAnswerable(forwardDelivery({ authentication: byDkim, envelopeSender }), original)).toBe(isTold);
  expect(isAnswerable(forwardDelivery({ authentication: proved, envelopeSender }), original)).toBe(true);
});

test.each([
  ["who is nobody's, since nothing was evaluated", { authentication: null }],
  ["whose domain is not proved", { authentication: { ...proved, isSpfAligned: false } }],
  [
    "who is a victim: DKIM passed for somebody else's domain than that of the envelope",
    {
      authentication: { ...proved, isSpfAligned: false, isDkimAligned: true, spf: "none" },
      envelopeSender: "x@victim.example",
    },
  ],
  ["of a bounce", { envelopeSender: "" }],
  ["that is a machine", { envelopeSender: "MAILER-DAEMON@sender.example" }],
  ["that is a list", { envelopeSender: "news-bounces@sender.example" }],
  ["of ours", { envelopeSender: "bounce+x@postern.example" }],
])("nobody is told %s", (_, differences) => {
  expect(told(differences)).toBe(false);
});

test.each([
  ["Subject: hello", true],
  ["Auto-Submitted: no", true],
  ["Auto-Submitted: auto-replied", false],
  ["Auto-Submitted: auto-generated (rule)", false],
  ["Precedence: bulk", false],
  ["Precedence: LIST", false],
  ["Precedence: first-class", true],
  ["List-Id: <news.example>", false],
  ["List-Unsubscribe: <https://news.example>", false],
  ["X-Auto-Response-Suppress: DR, AutoReply", false],
  ["Content-Type: multipart/report; boundary=x", false],
])("a message with %j may be answered: %s", (field, isAnswerable) => {
  expect(describeOriginal(parseFields(Buffer.from(`${field}\r\n`))).isAnswerable).toBe(isAnswerable);
  expect(told({}, isAnswerable)).toBe(isAnswerable);
});
