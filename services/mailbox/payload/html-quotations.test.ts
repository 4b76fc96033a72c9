import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { stripHtml } from "./html-quotations.ts";
import { StepBudget } from "./step-budget.ts";

const convert = (html: string) => stripHtml(html, new StepBudget(500_000));

test.each([
  [
    "Gmail",
    '<div dir="ltr">Yes.</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon Ann wrote:<br></div><blockquote class="gmail_quote"><div>Q</div></blockquote></div>',
    '<div dir="ltr">Yes.</div><br>',
  ],
  [
    "Thunderbird",
    '<body><div class="moz-cite-prefix">Am Montag schrieb Ann:<br></div><blockquote type="cite" cite="mid:x"><p>Q</p></blockquote>Yes.<div class="moz-signature">-- <br>Bob</div></body>',
    "<body>Yes.</body>",
  ],
  [
    "Apple Mail",
    '<body>Yes.<div><br><blockquote type="cite"><div>On Monday Ann wrote:</div>Q</blockquote></div></body>',
    "<body>Yes.<div><br></div></body>",
  ],
  [
    "Outlook on the web",
    '<html><body><div>Yes.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: Ann</div><div>Q</div></body></html>',
    "<html><body><div>Yes.</div></body></html>",
  ],
  [
    "Outlook",
    '<div class="WordSection1"><p>Yes.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p>From: Ann</p></div></div><p>Q</p></div>',
    '<div class="WordSection1"><p>Yes.</p><div></div><p>Q</p></div>',
  ],
  ["Yahoo", '<div>Yes.</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>Q</div></div>', "<div>Yes.</div>"],
  ["unclosed", '<p>Yes.<div class="gmail_quote"><p>Q', "<p>Yes."],
])("%s: only the answer is left", (_client, html, left) => {
  expect(convert(html)).toBe(left);
});

test("a forwarded message is what is being said", () => {
  const html =
    '<div>FYI</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Ann</div>Q</div>';
  expect(convert(html)).toBe(html);
});

test("what quotes nothing stays as it is, however it is made", () => {
  const tag = fc.constantFrom(
    "<p>",
    "</p>",
    "<div class=x>",
    "</div>",
    "<br>",
    "<blockquote>",
    "text & more",
    "<!-- c -->",
    "<td",
    "'\">",
  );
  fc.assert(
    fc.property(fc.array(tag), (parts) => {
      expect(convert(parts.join(""))).toBe(parts.join("").trim());
    }),
  );
});

test("nesting without end costs no time, and changes nothing", () => {
  const html = `${'<div class="gmail_signature">'.repeat(100_000)}deep`;
  expect(convert(html)).toBe(html);
});
