import { expect, test } from "@jest/globals";
import { leaves, limits, lines, mixed, parse } from "../test-support/parsed-message.ts";
import type { Entity } from "./entity.ts";
import { MimeParser } from "./mime-parser.ts";

test.each<[string, string, [string, string][]]>([
  ["a message without parts", lines("Subject: s", "", "one", "--b", "two"), [["text/plain", "one\r\n--b\r\ntwo\r\n"]]],
  ["nothing", "", [["text/plain", ""]]],
  ["a header alone", "Subject: s", [["text/plain", ""]]],
  ["no header", "just text\r\n\r\nmore", [["text/plain", "just text\r\n\r\nmore"]]],
  ["an empty header", "\r\nbody", [["text/plain", "body"]]],
  [
    "two parts, a preamble and an epilogue",
    lines(
      mixed("b"),
      "",
      "preamble",
      "--b",
      "",
      "one",
      "--b",
      "Content-Type: text/html",
      "",
      "two",
      "--b--",
      "epilogue",
    ),
    [
      ["text/plain", "one"],
      ["text/html", "two"],
    ],
  ],
  [
    "line ends without CR",
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n",
    [
      ["text/plain", "one"],
      ["text/plain", "two"],
    ],
  ],
  [
    "delimiters with blanks behind them",
    lines(mixed("b"), "", "--b  ", "", "one", "--b \t", "", "two", "--b-- ", "epilogue"),
    [
      ["text/plain", "one"],
      ["text/plain", "two"],
    ],
  ],
  [
    "a boundary with a blank at its end",
    lines(mixed("b "), "", "--b ", "", "one", "--b --"),
    [["text/plain", "one\r\n--b --\r\n"]],
  ],
  [
    "an inner multipart that was not closed",
    lines(
      mixed("outer"),
      "",
      "--outer",
      mixed("inner"),
      "",
      "--inner",
      "",
      "one",
      "--outer",
      "Content-Type: a/b",
      "",
      "two",
      "--outer--",
    ),
    [
      ["text/plain", "one"],
      ["a/b", "two"],
    ],
  ],
  [
    "two inner multiparts that were not closed",
    lines(mixed("a"), "", "--a", mixed("b"), "", "--b", mixed("c"), "", "--c", "", "one", "--a", "", "two", "--a--"),
    [
      ["text/plain", "one"],
      ["text/plain", "two"],
    ],
  ],
  [
    "a part's header that is cut off by a delimiter",
    lines(mixed("b"), "", "--b", "Content-Type: a/b", "--b", "", "two", "--b--"),
    [
      ["a/b", ""],
      ["text/plain", "two"],
    ],
  ],
  [
    "boundaries that begin alike",
    lines(mixed("b"), "", "--b", mixed("b-1"), "", "--b-1", "", "one", "--b-1--", "--b--"),
    [["text/plain", "one"]],
  ],
  [
    "a boundary that looks like an end",
    lines(mixed("b"), "", "--b", mixed("b--"), "", "--b--", "", "one", "--b----", "--b--"),
    [["text/plain", "one"]],
  ],
  [
    "an inner multipart with the boundary of the outer one",
    lines(mixed("b"), "", "--b", mixed("b"), "", "--b", "", "one", "--b--", "--b", "", "two", "--b--"),
    [
      ["text/plain", "one"],
      ["text/plain", "two"],
    ],
  ],
  ["no end", lines(mixed("b"), "", "--b", "", "one"), [["text/plain", "one\r\n"]]],
  ["an end without a line end", `${lines(mixed("b"), "", "--b", "", "one")}--b--`, [["text/plain", "one"]]],
  [
    "lines that are almost delimiters",
    lines(mixed("b"), "", "--b", "", "--", "--c", "-- b", "--b-", "--bb", "x--b", "--b--"),
    [["text/plain", "--\r\n--c\r\n-- b\r\n--b-\r\n--bb\r\nx--b"]],
  ],
  ["a part of empty lines", lines(mixed("b"), "", "--b", "", "", "", "--b--"), [["text/plain", "\r\n"]]],
  [
    "a part without a header",
    lines(mixed("b"), "", "--b", "just text", "", "more", "--b--"),
    [["text/plain", "just text\r\n\r\nmore"]],
  ],
  [
    "a digest",
    lines("Content-Type: multipart/digest; boundary=b", "", "--b", "", "Subject: inner", "--b--"),
    [["message/rfc822", "Subject: inner"]],
  ],
  ["a multipart without a boundary", lines("Content-Type: multipart/mixed", "", "body"), []],
  ["a boundary that never comes", lines(mixed("b"), "", "body"), []],
])("%s, however it is cut", (_, message, expected) => {
  const { root } = parse(message);
  expect(leaves(root)).toEqual(expected);
  for (let size = 1; size < 8; size += 1) {
    const cuts = Array.from({ length: message.length }, (_unused, index) => index * size);
    expect(parse(message, cuts).root).toEqual(root);
  }
});

test("what stands outside of the parts is the multipart's", () => {
  const { root } = parse(lines("Subject: s", mixed("b"), "", "before", "--b", "", "one", "--b--", "after"));
  expect(root).toMatchObject({ type: "multipart/mixed", subject: "s", bytes: "beforeafter\r\n" });
  expect(parse(lines("Content-Type: multipart/mixed", "", "body")).root.bytes).toBe("body\r\n");
});

test("events come in order, and each entity ends", () => {
  const parser = new MimeParser(limits);
  const events = [
    ...parser.write(Buffer.from(lines(mixed("a"), "", "--a", mixed("b"), "", "--b", "", "one", "--a", "", "two"))),
    ...parser.end(),
  ];
  const names = new Map<Entity, string>();
  const told = events.map((event) => {
    if (event.kind === "begin") names.set(event.entity, `${names.size}`);
    return `${event.kind} ${names.get(event.entity)}`;
  });
  expect(told).toEqual([
    "begin 0",
    "begin 1",
    "begin 2",
    "bytes 2",
    "end 2",
    "end 1",
    "begin 3",
    "bytes 3",
    "bytes 3",
    "end 3",
    "end 0",
  ]);
});

test("parts that are too many are left out, those too deep are not taken apart, a header too long is body", () => {
  const many = parse(lines(mixed("b"), "", ...Array.from({ length: 9 }, () => "--b\r\n\r\nx")), [], {
    ...limits,
    entities: 3,
  });
  expect(many.root.parts.map(({ bytes }) => bytes)).toEqual(["x", "x", "x"]);
  expect(many.exceededLimit).toBe("entities");
  const deep = parse(lines(mixed("a"), "", "--a", mixed("b"), "", "--b", "", "x", "--b--", "--a", "", "y"), [], {
    ...limits,
    depth: 1,
  });
  expect(deep.root.parts).toMatchObject([
    { type: "multipart/mixed", bytes: "--b\r\n\r\nx\r\n--b--", parts: [] },
    { type: "text/plain", bytes: "y\r\n" },
  ]);
  expect(deep.exceededLimit).toBe("depth");
  for (const line of [`X: ${"a".repeat(500)}\r\n`, "X: a\r\n".repeat(80)]) {
    const long = parse(`Subject: s\r\n${line}\r\nbody`, [100, 200, 300], { ...limits, headerBytes: 400 });
    expect(long.root.subject).toBe("s");
    expect(long.root.bytes).toMatch(/body$/);
    expect(long.exceededLimit).toBe("headerBytes");
  }
  expect(parse(lines(mixed("b"), "", "--b", "", "x", "--b--")).exceededLimit).toBeUndefined();
});
