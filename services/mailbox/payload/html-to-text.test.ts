import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { htmlToText } from "./html-to-text.ts";
import { StepBudget } from "./step-budget.ts";
import { textToHtml } from "./text-to-html.ts";

const convert = (html: string) => htmlToText(html, new StepBudget(500_000));

test("blocks are lines, and markup is nothing", () => {
  const html = `<html><head><title>no</title><style>p{}</style></head><body><h1>Title</h1><p>One <b>bold</b>
    word.<br>Next</p><ul><li>a</li><li>b</li></ul><table><tr><td>x</td><td>y</td></tr></table><script>no()</script></body></html>`;
  expect(convert(html)).toBe("Title\n\nOne bold word.\nNext\n\n* a\n* b\n\nx y");
});

test("links say where they lead, once", () => {
  expect(convert('<a href="https://example.org/x">here</a>, <a href="https://example.org/">example.org</a>')).toBe(
    "here <https://example.org/x>, example.org",
  );
  expect(convert('<a href="javascript:alert(1)">run</a>')).toBe("run");
});

test("preformatted text keeps its spaces", () => {
  expect(convert("<pre>a   b\n  c</pre>")).toBe("a   b\n  c");
});

test("nesting without end costs no time", () => {
  expect(convert(`${"<div>".repeat(100_000)}deep`)).toBe("deep");
});

test("a text made into HTML reads the same", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[!-~äß]+( [!-~äß]+)*$/), { minLength: 1 }), (lines) => {
      expect(convert(textToHtml(lines.join("\n")))).toBe(lines.join("\n"));
    }),
  );
});
