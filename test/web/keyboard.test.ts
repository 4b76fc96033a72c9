import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { linkTo, somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(() => site?.close());

const maxTabs = 60;

/** What has the focus: its role and its name, as a screen reader would say it. */
async function focused(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  // The page has it as well, whatever in it does.
  const focus = nodes.find(
    ({ role, properties = [] }) =>
      role?.value !== "RootWebArea" && properties.some(({ name, value }) => name === "focused" && value.value === true),
  );
  return `${focus?.role?.value}: ${focus?.name?.value}`;
}

/** Presses Tab until something has the focus. @throws when all of the page was passed without meeting it */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let count = 0; count < maxTabs; count += 1) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (wanted.test(now)) return;
    passed.push(now);
  }
  throw new Error(`Tab does not come to ${wanted}, only to ${passed.join(" | ")}`);
}

/** The page puts it there by itself, a moment after it is shown. */
function focusComesTo(page: Page, wanted: string | RegExp): Promise<void> {
  return eventually(async () => expect(await focused(page)).toEqual(expect.stringMatching(wanted)));
}

test("by keyboard alone: an account, an address, a mail read, and the address removed", async () => {
  const { page, complaints, close } = await site.visit();
  const { username, password } = somebody();
  const { keyboard } = page;
  await page.goto("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByRole("link", { name: "Create account" }).waitFor();
  await tabTo(page, /^link: Create account/);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Create account" }).waitFor();
  await focusComesTo(page, /^textbox: Your email address/);
  await keyboard.type(username);
  await keyboard.press("Tab");
  await keyboard.type(password);
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
  await page.goto(await linkTo(site.installation, username, "confirm"));
  await focusComesTo(page, /^textbox: Password/);
  await keyboard.type(password);
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();

  // Past what stands on every page, straight to the content.
  await page.reload();
  await page.getByRole("button", { name: "Create your first address" }).waitFor();
  await keyboard.press("Tab");
  await focusComesTo(page, "link: Skip to content");
  await keyboard.press("Enter");
  await tabTo(page, /^button: New address/);

  // A dialog takes the focus, keeps it from the page behind (past its end, the browser's own controls have it), and gives it back.
  await keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New address" }).waitFor();
  for (let count = 0; count < 12; count += 1) {
    await keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.matches('body, [role=dialog] *')")).toBe(true);
  }
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await focusComesTo(page, "button: New address");
  await keyboard.press("Enter");
  await focusComesTo(page, "button: Create");
  await keyboard.press("Enter");
  const made = page.getByRole("rowheader").getByRole("link");
  await made.waitFor();
  const proxyAddress = (await made.textContent()) ?? "";

  await tabTo(page, new RegExp(`^switch: Forward email of ${proxyAddress}`));
  await keyboard.press("Space");
  await eventually(async () => expect(await page.getByRole("switch").isChecked()).toBe(false));
  await tabTo(page, new RegExp(`^link: ${proxyAddress}`));
  await keyboard.press("Enter");
  await page.getByText("Live", { exact: true }).waitFor();
  // A new page takes the focus to its heading, so that a screen reader says where one is.
  await focusComesTo(page, `heading: ${proxyAddress}`);
  const text = "Hello.\n".repeat(100);
  await sendMail(site.installation.smtpPort, { to: proxyAddress, subject: "Without a mouse", text });
  await page.getByRole("link", { name: /Without a mouse/ }).waitFor();
  await tabTo(page, /^link: .*Without a mouse/);
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Without a mouse" }).waitFor();
  await tabTo(page, /^button: Headers/);
  await keyboard.press("Enter");
  await page.getByRole("region", { name: "Headers" }).waitFor();
  // Longer than its part of the page, which the keyboard scrolls.
  await tabTo(page, /^button: Source/);
  await keyboard.press("Enter");
  await page.getByRole("region", { name: "Source" }).getByText("Hello.").waitFor();
  await tabTo(page, /^region: Source/);

  await page.goBack();
  // Past the navigation, to the part of the page.
  await page.getByRole("heading", { level: 1 }).focus();
  await tabTo(page, /^link: Settings/);
  await keyboard.press("Enter");
  await tabTo(page, /^button: Remove this address/);
  await keyboard.press("Enter");
  await page.getByRole("alertdialog").waitFor();
  // What cannot be undone is not what Enter does.
  await focusComesTo(page, "button: Cancel");
  await tabTo(page, /^button: Remove address/);
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: "Start with an address" }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
