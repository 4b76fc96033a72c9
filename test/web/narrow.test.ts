import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

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

test("an email that is laid out wider than the screen is made to fit", async () => {
  const { installation } = site;
  const { proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  const html = `<table width="640"><tr><td width="640"><h1>Sale</h1><p>${"Everything must go. ".repeat(40)}</p></td></tr></table>`;
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Sale", html });
  const { page, close } = await site.visit(phone);
  await signIn(page, installation.account);
  await page.goto("/inbox");
  await page.getByRole("link", { name: /Sale/ }).click();
  const mail = page.frameLocator("iframe").locator("html");
  await mail.getByRole("heading", { name: "Sale" }).waitFor();
  const overhang = () => mail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await eventually(async () => expect(await overhang()).toBe(0));
  // All of it, without a bar to scroll it by.
  expect(await mail.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
  await page.setViewportSize({ width: 1280, height: 900 });
  await eventually(async () => expect(await mail.getAttribute("style")).toContain("zoom: 1;"));
  await close();
});

test("a link that is longer than the screen is broken, and makes no text smaller", async () => {
  const { installation } = site;
  const { proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
  const html = `<h1>Sale</h1><p>https://shop.example/${"sale_".repeat(40)}</p>`;
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "One link", html });
  const { page, close } = await site.visit(phone);
  await signIn(page, installation.account);
  await page.goto("/inbox");
  await page.getByRole("link", { name: /One link/ }).click();
  const mail = page.frameLocator("iframe").locator("html");
  await mail.getByRole("heading", { name: "Sale" }).waitFor();
  await eventually(async () => expect(await mail.getAttribute("style")).toContain("zoom: 1;"));
  await close();
});
