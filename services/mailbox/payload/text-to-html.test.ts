import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { textToHtml } from "./text-to-html.ts";

test("what is markup is escaped, and blank lines part paragraphs", () => {
  expect(textToHtml('\n a < "b" & c > d\r\n\r\n\r\ne\nf\n')).toBe(
    "<p>a &lt; &quot;b&quot; &amp; c &gt; d</p>\n<p>e<br>\nf</p>",
  );
  expect(textToHtml(" \r\n ")).toBe("");
});

test.each([0, 1, 2, 3, 4])(
  "a long text is no other where it is taken in pieces: %p characters before a blank line",
  (more) => {
    const before = "x".repeat(32 * 1024 - 2 + more);
    expect(textToHtml(`${before}\r\n\r\n\r\n<y>`)).toBe(`<p>${before}</p>\n<p>&lt;y&gt;</p>`);
    expect(textToHtml(`${before}\r\n<y>`)).toBe(`<p>${before}<br>\n&lt;y&gt;</p>`);
  },
);

test.each(['"', "> > > > >\\r\\n", "x\\n"])(
  "a text of nothing but %j needs little more memory than its HTML",
  async (unit) => {
    const length = 2_500_000;
    const program = `
    const { textToHtml } = await import(${JSON.stringify(new URL("./text-to-html.ts", import.meta.url).href)});
    const unit = "${unit.replaceAll('"', '\\"')}";
    process.stdout.write(String(textToHtml(unit.repeat(${length} / unit.length)).length > ${length}));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--max-old-space-size=48",
      ...["--input-type=module", "--eval", program],
    ]);
    expect(stdout).toBe("true");
  },
);
