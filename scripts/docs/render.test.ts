import { expect, test } from "@jest/globals";
import { testedCommands } from "./pages.ts";
import { contentOf } from "./render.ts";

const shown = (markdown: string, name = "page") =>
  contentOf({ name, title: "x", markdown }, new Set(["page", "other", "runbooks/one"]));

test("raw HTML is shown as it stands, and comments for editors are left out", () => {
  expect(shown("<script>alert(1)</script>\n\n<!-- made by a command -->\nText <b>x</b>")).toBe(
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>Text &lt;b&gt;x&lt;/b&gt;</p>\n",
  );
});

test("links lead to pages of the site or to other sites; those to other files are their text", () => {
  expect(
    shown("[a](other.md#a-part) [b](https://example.org/) [c](../README.md) [d](javascript:alert) [e](#here)"),
  ).toBe(
    '<p><a href="/docs/other#a-part">a</a> <a href="https://example.org/">b</a> c [d](javascript:alert) <a href="#here">e</a></p>\n',
  );
  expect(shown("[a](../other.md), [b](one.md)", "runbooks/one")).toBe(
    '<p><a href="/docs/other">a</a>, <a href="/docs/runbooks/one">b</a></p>\n',
  );
});

test("a header cell without a text is a plain one", () => {
  expect(shown("| a | |\n| --- | --- |\n| 1 | 2 |").replaceAll("\n", "")).toContain(
    "<thead><tr><th>a</th><td></td></tr></thead>",
  );
});

test("headings have the names that links on GitHub use", () => {
  expect(shown("## What `is` it?\n\n## What is it?")).toBe(
    '<h2 id="what-is-it">What <code>is</code> it?</h2>\n<h2 id="what-is-it-1">What is it?</h2>\n',
  );
});

test("the blocks that say so are what a test runs", () => {
  const markdown = "```sh\nno\n```\n\n```sh test\necho 1\necho 2\n```\n\n```sh test\necho 3\n```\n";
  expect(testedCommands({ markdown })).toEqual(["echo 1\necho 2\n", "echo 3\n"]);
});
