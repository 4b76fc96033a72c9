import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { admin } from "../support/installation/admin.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { makeOperator, somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { giveNewAccount, signIn } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(() => site?.close());

const phone = { viewport: { width: 390, height: 844 } };

/** The owner on a phone, in German, whose words are longer. */
async function onAPhoneInGerman() {
  const visit = await site.visit(phone);
  await signIn(visit.page, site.installation.account);
  await visit.page.evaluate(() => localStorage.setItem("postern-language", "de"));
  return visit;
}

/** The buttons that reach over the edge of what they stand in. */
function overhanging(page: Page): Promise<string[]> {
  return page
    .locator(".card .button:visible, dialog .button:visible, [role=dialog] .button:visible")
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const edge = button.closest(".card, dialog, [role=dialog]")?.getBoundingClientRect();
          return edge !== undefined && button.getBoundingClientRect().right > edge.right - 8;
        })
        .map((button) => button.textContent ?? ""),
    );
}

/** An email of its own, on a phone, whose HTML has the heading "Sale". */
async function openMail(html: string) {
  const { installation } = site;
  const { proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  const answer = await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Sale", html });
  const { page, close } = await site.visit(phone);
  await signIn(page, installation.account);
  await page.goto(`/emails/${emailIds(answer)[0]}`);
  const mail = page.frameLocator("iframe").locator("html");
  await mail.getByRole("heading", { name: "Sale" }).waitFor();
  return { mail, page, close };
}

test("long words of a button stay within what it stands in", async () => {
  const { page, close } = await onAPhoneInGerman();
  await page.goto("/settings");
  await page.getByRole("button", { name: "Zwei-Faktor-Authentifizierung einrichten" }).waitFor();
  expect(await overhanging(page)).toEqual([]);
  await page.goto("/rules");
  await page.getByRole("button", { name: "Neue Regel" }).click();
  await page.getByRole("button", { name: "An den letzten 30 Tagen ausprobieren" }).waitFor();
  expect(await overhanging(page)).toEqual([]);
  await close();
});

test("the suggested address of a new one is shown in full", async () => {
  const { page, close } = await onAPhoneInGerman();
  await page.goto("/");
  await page.getByRole("button", { name: "Neue Adresse" }).first().click();
  const input = page.getByRole("textbox", { name: "Adresse", exact: true });
  await eventually(async () => expect(await input.inputValue()).not.toBe(""));
  // As long as suggestions get.
  await input.fill("babab-babab-babab-babab");
  expect(await input.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await close();
});

test("the tables of operators and of imports are read without scrolling them sideways", async () => {
  const { installation } = site;
  await makeOperator(installation, installation.account.username);
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 } });
  await signIn(page, installation.account);
  const table = page.getByRole("table");
  const overhang = () => table.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : NaN));
  await page.goto("/operator");
  // As long as names of accounts are, and what each says is named where it stands.
  await table.getByRole("rowheader", { name: installation.account.username }).waitFor();
  await table.getByRole("columnheader", { name: "Last sign-in" }).waitFor({ state: "attached" });
  expect(await overhang()).toBe(0);
  await page.goto("/import");
  // Why nothing is checked is said at the field.
  await page.getByRole("button", { name: "Check file" }).click();
  await page.getByText("Please select a file.").waitFor();
  const row = `${"shop-".repeat(11)}1@sl.example,Shop,True,me@example.org\n`;
  const buffer = Buffer.from(`alias,note,enabled,mailboxes\n${row}`);
  await page.getByLabel("File", { exact: true }).setInputFiles({ name: "sl.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Check file" }).click();
  await page.getByText("Gets a new address").waitFor();
  expect(await page.getByText("Please select a file.").count()).toBe(0);
  expect(await overhang()).toBe(0);
  // No name of a column stands before nothing.
  const texts = await table.locator("td:visible").allTextContents();
  expect(texts.filter((text) => text === "")).toEqual([]);
  await close();
});

test("an address in a sentence is followed by a blank, since what follows it at once may stand alone on the next line", async () => {
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 } });
  const after = () => page.locator("main strong").evaluate(({ nextSibling }) => nextSibling?.textContent);
  await page.goto("/sign-up");
  const { username, password } = somebody();
  await giveNewAccount(page, { username: `of.the.warehouse.${username}`, password });
  await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
  expect(await after()).toMatch(/^ /);
  await signIn(page, site.installation.account);
  const { id } = await makeBinding(await site.installation.rest(), { is_browsable: true });
  await page.goto(`/addresses/${id}`);
  await page.getByText("You're running locally").waitFor();
  expect(await after()).toMatch(/^ /);
  await close();
});

test("on the narrowest phone an address is removed by a button beside it, however much is said of it", async () => {
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 } });
  const real_addresses = [site.installation.account.username, `${"of.the.warehouse.".repeat(3)}ann@example.net`];
  const { id } = await makeBinding(await site.installation.rest(), { real_addresses });
  await signIn(page, site.installation.account);
  await page.goto(`/addresses/${id}/settings`);
  for (const address of real_addresses) {
    const remove = page.getByRole("button", { name: `Remove ${address}` });
    await remove.waitFor();
    const { y, height } = (await page.getByText(address, { exact: true }).last().boundingBox()) ?? { y: 0, height: 0 };
    const { y: top = 0 } = (await remove.boundingBox()) ?? {};
    expect(top).toBeLessThan(y + height);
  }
  await close();
});

test("a table that fits, as cards or as columns, is no stop for the keyboard, however long its names are", async () => {
  const { installation } = site;
  await makeOperator(installation, installation.account.username);
  const username = `${"of-the-warehouse-".repeat(12)}${somebody().username}`.slice(-128);
  await admin(installation, "account", "add", username);
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 } });
  await signIn(page, installation.account);
  await page.goto("/operator");
  await page.getByRole("rowheader", { name: username }).waitFor();
  const region = page.getByRole("region", { name: "Accounts" });
  for (const width of [360, 1024]) {
    await page.setViewportSize({ width, height: 740 });
    await eventually(async () => expect(await region.getAttribute("tabindex")).toBeNull());
  }
  await page.setViewportSize({ width: 700, height: 740 });
  await page.getByRole("columnheader", { name: "Last sign-in" }).waitFor();
  expect(await region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await close();
});

test("on the narrowest phone a hidden secret is one line, and the order of a list is reversed beside what it is sorted by", async () => {
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 } });
  await makeBinding(await site.installation.rest(), {});
  await signIn(page, site.installation.account);
  const middleOf = (part: Locator) => part.boundingBox().then((box) => box && Math.round(box.y + box.height / 2));
  // What is above them may still come.
  await eventually(async () => {
    const order = await middleOf(page.getByRole("combobox", { name: "Sort by" }));
    expect(await middleOf(page.getByRole("button", { name: "Reverse the order" }))).toBe(order);
  });
  await page.goto("/settings");
  await page.locator(".secret code").first().waitFor();
  const lines = `(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".secret code"));
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  })()`;
  expect(await page.evaluate(lines)).toBe(1);
  await close();
});

/** Three columns, each as wide as what is fixed in it. */
const columns = [1, 2, 3].map(
  (number) => `<td width="300"><div style="width: 290px; height: 9px"></div><p>Product ${number}</p></td>`,
);

test.each([
  ["fixed", `<table width="640"><tr><td width="640"><p>${"Everything must go. ".repeat(40)}</p></td></tr></table>`],
  ["fixed far wider", `<div style="width: 1600px"><p>${"Everything must go. ".repeat(40)}</p></div>`],
  ["in columns", `<table width="900"><tr>${columns.join("")}</tr></table>`],
  ["not to be wrapped", `<pre>${"error at some/path/to/a/file.ts:10 ".repeat(20)}</pre>`],
])("on a phone the text of an email whose width is %s wraps at its own size", async (_, html) => {
  const { mail, close } = await openMail(`<h1>Sale</h1>${html}`);
  const overhang = () => mail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await eventually(async () => expect(await overhang()).toBe(0));
  expect(await mail.getAttribute("style")).toContain("zoom: 1;");
  // All of it, without a bar to scroll it by.
  expect(await mail.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
  await close();
});

test("an email that fits the screen once that is wider is as it was sent", async () => {
  const { mail, page, close } = await openMail(
    `<h1>Sale</h1><table width="640" style="color: red"><tr><td width="640"><p>Everything must go.</p></td></tr></table>`,
  );
  const table = mail.locator("table");
  await eventually(async () => expect(await table.getAttribute("style")).toContain("width: 100%"));
  await page.setViewportSize({ width: 1280, height: 900 });
  await eventually(async () => expect(await table.getAttribute("style")).toBe("color: red;"));
  expect(await table.evaluate(({ offsetWidth }) => offsetWidth)).toBe(640);
  await close();
});

test("a table of many columns is made smaller as far as it can be read, and scrolls in its frame", async () => {
  const cells = Array.from({ length: 25 }, (_, number) => `<td>value${number}000</td>`).join("");
  const { mail, close } = await openMail(`<h1>Sale</h1><table><tr>${cells}</tr></table>`);
  await eventually(async () => expect(await mail.getAttribute("style")).toContain("zoom: 0.6;"));
  const [widthPx = 0] = await mail.locator("td").evaluateAll((all) => all.map((cell) => cell.scrollWidth));
  expect(widthPx).toBeGreaterThan(60);
  await close();
});

test("a link that is longer than the screen is broken, and makes no text smaller", async () => {
  const { mail, close } = await openMail(`<h1>Sale</h1><p>https://shop.example/${"sale_".repeat(40)}</p>`);
  await eventually(async () => expect(await mail.getAttribute("style")).toContain("zoom: 1;"));
  await close();
});
