import { expect, test } from "@jest/globals";
import { piecesOf } from "../../web/src/email/text-links.ts";

test("web addresses in a text are links, and nothing else is", () => {
  expect(piecesOf("See https://a.example/x?y=1, or (http://b.example/z).")).toEqual([
    { text: "See " },
    { text: "https://a.example/x?y=1", href: "https://a.example/x?y=1" },
    { text: ", or (" },
    { text: "http://b.example/z", href: "http://b.example/z" },
    { text: ")." },
  ]);
  for (const text of ["javascript:alert(1)", "data:text/html,x", "https://", "<b>"])
    expect(piecesOf(text)).toEqual([{ text }]);
});

test("a text of nothing but the beginnings of links is as it was", () => {
  const text = "http://x.example/) ".repeat(20_000);
  expect(
    piecesOf(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});
