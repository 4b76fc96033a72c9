import { isAscii } from "node:buffer";
import { expect, test } from "@jest/globals";
import { decodeEncodedWords } from "../../../message/coding/encoded-words.ts";
import { answerHeader, compose, lines } from "../../test-support/answer.ts";

test.each(["J\u00f6rg M\u00fcller", "\u9752\u6728 \u592a\u90ce", `J\u00f6rg "the \u{1f41f}" ${"x".repeat(60)}, Inc.`])(
  "a name beyond ASCII, %s, leaves by servers without SMTPUTF8",
  async (displayName) => {
    const { message } = await compose(lines(answerHeader(), "", "text", ""), { displayName });
    expect(isAscii(message)).toBe(true);
    const [, phrase = ""] = /^From: (.*?) <shop@proxy\.example>\r\n/s.exec(message.toString()) ?? [];
    expect(decodeEncodedWords(phrase.replaceAll("\r\n ", " "))).toBe(displayName);
    expect(phrase.split("\r\n ").every((line) => line.length <= 78)).toBe(true);
  },
);

test.each([
  ["an address", "postmaster@proxy.example", '"postmaster" <shop@proxy.example>'],
  ["one in other characters", "Help \uff20 proxy\u3002example", '"Help" <shop@proxy.example>'],
  ["one of the organisation", "Boss (boss at www.proxy.example)", '"Boss (boss)" <shop@proxy.example>'],
  ["nothing but its domain", "proxy.example", "<shop@proxy.example>"],
])(
  "a name that shows %s of the service is without it: its owner is not the service",
  async (_name, displayName, from) => {
    const { message } = await compose(lines(answerHeader(), "", "text", ""), { displayName });
    expect(/^From: (.*)$/m.exec(message.toString().replaceAll("\r\n", "\n"))?.[1]).toBe(from);
  },
);

test("a name may show an address that is not the service's", async () => {
  const displayName = "Olive of olive@firm.example";
  const { message } = await compose(lines(answerHeader(), "", "text", ""), { displayName });
  expect(message.toString()).toContain(`From: "${displayName}" <shop@proxy.example>`);
});
