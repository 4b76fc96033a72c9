import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Locator } from "playwright-core";
import { somebody } from "./support/people.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";
import { signUp } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSharedSite();
}, openLimitMs);
afterAll(() => site?.close());

/** How many lines a word stands on. */
function linesOf(words: Locator, word: string): Promise<number> {
  return words
    .filter({ hasText: word })
    .first()
    .evaluate((element, sought) => {
      const { ownerDocument } = element;
      const SHOW_TEXT = 4;
      const texts = ownerDocument.createTreeWalker(element, SHOW_TEXT);
      while (texts.nextNode()) {
        const at = texts.currentNode.textContent?.indexOf(sought) ?? -1;
        if (at === -1) continue;
        const range = ownerDocument.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + sought.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      }
      return 0;
    }, word);
}

test("with text of twice the size no page scrolls sideways on a phone, and words stay whole", async () => {
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 } });
  await page.addInitScript(`document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.style.fontSize = "200%";
  })`);
  await signUp(page, somebody(), site.installation);
  const pages = { "/": "You can create 100 more", "/inbox": "No email yet", "/settings": "Two-factor authentication" };
  for (const [path, text] of Object.entries(pages)) {
    await page.goto(path);
    await page.getByText(text).first().waitFor();
    const overhang = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect({ path, overhang }).toEqual({ path, overhang: 0 });
  }
  expect(await linesOf(page.locator("label"), "regenerate")).toBe(1);
  expect(await linesOf(page.getByRole("heading", { level: 2 }), "authentication")).toBe(1);
  expect(await linesOf(page.getByRole("heading", { level: 2 }), "Notifications")).toBe(1);
  await close();
});
