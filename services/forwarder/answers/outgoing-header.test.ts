import { isAscii } from "node:buffer";
import { expect, test } from "@jest/globals";
import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { answerHeader, compose, lines } from "../test-support/answer.ts";

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
