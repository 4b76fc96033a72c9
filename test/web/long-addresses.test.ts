import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { type MadeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

const partner = "partner.of.the.warehouse@mail.example.net";
let site: Site;
let made: MadeBinding;

beforeAll(async () => {
  site = await openSite({ AUTOMATIC_BINDING: "false" });
  made = await makeBinding(await site.installation.rest(), {
    proxy_address: "familysubscription.livingroomtelevision@postern.localhost",
    is_browsable: true,
    real_addresses: [site.installation.account.username, partner],
  });
}, openLimitMs);
afterAll(() => site?.close());

/** The owner on the narrowest phone, before an address as long as addresses get that forwards to two others. */
async function onThePhone() {
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 } });
  await signIn(page, site.installation.account);
  return { page, close, ...made };
}

/** In how many lines each of these is shown. */
const lineCounts = (parts: Locator) =>
  parts.evaluateAll((all) =>
    all.map((part) => {
      const range = part.ownerDocument.createRange();
      range.selectNodeContents(part.lastChild ?? part);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }),
  );

const widthOf = (part: Locator) => part.boundingBox().then((box) => box?.width ?? 0);

/** The text of the page's heading, by the lines in which it is shown. */
const headingLines = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.querySelector("h1"), NodeFilter.SHOW_TEXT);
    const lines = new Map();
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < node.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { top } = range.getBoundingClientRect();
        lines.set(top, (lines.get(top) ?? "") + node.data[at]);
      }
    return [...lines.values()];
  })()`);

test("a long address is broken where it has parts, and its forwarding is told in full on a phone with large text", async () => {
  const { page, close, id, proxyAddress } = await onThePhone();
  await page.goto(`/addresses/${id}`);
  await page.getByRole("heading", { level: 1, name: proxyAddress, exact: true }).waitFor();
  const lines = await headingLines(page);
  expect(lines.join("")).toBe(proxyAddress);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines.slice(1)) expect(line).toMatch(/^[.@]/);

  await page.goto("/");
  const more = page.getByText("and 1 more");
  await more.waitFor();
  for (const percent of [100, 200]) {
    await page.evaluate(`document.documentElement.style.fontSize = "${percent}%"`);
    const { right, edge, overhang } = await more.evaluate((part) => ({
      right: part.getBoundingClientRect().right,
      edge: part.closest("li")?.getBoundingClientRect().right ?? 0,
      overhang: part.scrollWidth - part.clientWidth,
    }));
    expect(right).toBeLessThanOrEqual(edge);
    expect(overhang).toBeLessThanOrEqual(0);
  }
  await close();
});

test("with large text on a phone words stay whole, and an address has the room that there is", async () => {
  const { page, close, id, proxyAddress } = await onThePhone();
  const { smtpPort } = site.installation;
  const [emailId] = emailIds(await sendMail(smtpPort, { to: proxyAddress, subject: "Hello", text: "Hello" }));
  for (const percent of [100, 200]) {
    await page.goto(`/addresses/${id}/settings`);
    const removals = page.getByRole("button", { name: /^Remove .*@/ });
    await removals.first().waitFor();
    await page.evaluate(`document.documentElement.style.fontSize = "${percent}%"`);
    expect(await lineCounts(removals)).toEqual([1, 1]);
    expect(await lineCounts(page.locator(".sidebar-mark .mark"))).toEqual([1]);
    const address = page.getByText(partner, { exact: true }).last();
    expect(await widthOf(address)).toBeGreaterThan(110);
    await page.goto(`/emails/${emailId}`);
    const recipient = page.getByRole("link", { name: proxyAddress });
    await recipient.waitFor();
    await page.evaluate(`document.documentElement.style.fontSize = "${percent}%"`);
    expect(await widthOf(recipient)).toBeGreaterThan(200);
  }
  await close();
});
