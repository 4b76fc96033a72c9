import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import {
  lateNames,
  makeManyAddresses,
  onTheBoard,
  openAddress,
  openTab,
  rowOf,
  shownNames,
} from "./support/addresses.ts";
import { somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signUp } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ QUOTA_BINDINGS: "2000" });
  await makeManyAddresses(site.installation);
}, openLimitMs);
afterAll(() => site?.close());

test("of a thousand addresses the rows in view alone are made, and the rest as one scrolls", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await rowOf(page, "charlie").waitFor();
  const table = page.getByRole("table", { name: "Addresses" });
  expect(await table.getAttribute("aria-rowcount")).toBe("1005");
  expect(await page.getByRole("row").count()).toBeLessThan(60);
  await eventually(async () => {
    await page.mouse.wheel(0, 5_000);
    expect(await page.getByRole("row").last().getAttribute("aria-rowindex")).toBe("1005");
  });
  expect(await page.getByRole("row").count()).toBeLessThan(60);
  expect(complaints).toEqual([]);
  await close();
});

test("search-as-you-type finds one of a thousand, and what was searched, sorted and filtered stands in the URL", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await page.getByRole("searchbox").pressSequentially("many-777");
  await eventually(async () => expect(await shownNames(page)).toEqual(["many-777"]));
  expect(page.url()).toMatch(/\?q=many-777$/);
  await page.reload();
  await rowOf(page, "many-777").waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("many-777");
  await page.getByRole("searchbox").fill("letter ");
  await eventually(async () => expect(await shownNames(page)).toEqual(["charlie", "bravo", "alpha"]));
  await page.getByRole("button", { name: "Address", exact: true }).click();
  await eventually(async () => expect(await shownNames(page)).toEqual(lateNames));
  expect(page.url()).toContain("sort=address");
  await page.getByRole("columnheader", { name: "Address" }).and(page.locator("[aria-sort=ascending]")).waitFor();
  await page.getByRole("combobox", { name: "State" }).selectOption("Off");
  await page.getByText("No address matches").waitFor();
  expect(page.url()).toContain("state=off");
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await rowOf(page, "alpha").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("what is no address is said so at the field of where email is forwarded to", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await openAddress(page, "alpha@postern.localhost");
  await openTab(page, "Settings");
  const field = page.getByRole("textbox", { name: "Forward to another address" });
  await field.fill("nobody");
  await field.press("Enter");
  await page.getByRole("alert").getByText("Enter a full email address. This one has no @.").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(complaints).toEqual([]);
  await close();
});

test("a whole address is switched off and on, and its page says what happens to its email", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  const toggle = rowOf(page, "alpha").getByRole("switch", { name: "Forward email of alpha@postern.localhost" });
  await toggle.press("Space");
  await toggle.and(page.locator("[aria-checked=false][aria-busy=false]")).waitFor();
  await page.reload();
  await toggle.waitFor();
  expect(await toggle.isChecked()).toBe(false);
  await page.getByRole("link", { name: "alpha@postern.localhost" }).click();
  await page.getByText("This address is off: email to it is rejected, and senders are told so.").waitFor();
  await page.getByRole("switch").press("Space");
  await page.getByText("This address is off").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await close();
});

test("on a phone the list is cards, with the same switch and order", async () => {
  const { page, complaints, close } = await onTheBoard(site, true);
  const cards = page.getByRole("list", { name: "Addresses" }).getByRole("listitem");
  await cards.filter({ hasText: "alpha@postern.localhost" }).getByRole("switch").waitFor();
  expect(await page.getByRole("table").count()).toBe(0);
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("Address");
  await page.getByRole("button", { name: "Reverse the order" }).click();
  await eventually(async () => expect(await cards.first().textContent()).toContain("alpha@"));
  expect(complaints).toEqual([]);
  await close();
});

test("an address replies under a name, and knows whom it may be written to by", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await page.getByRole("link", { name: "alpha@postern.localhost" }).click();
  await openTab(page, "Contacts");
  await page.getByText("No contacts yet").waitFor();
  await openTab(page, "Settings");
  const answering = page.getByRole("region", { name: "Replies" });
  await answering.getByText("Reply from this address", { exact: true }).click();
  await answering.getByLabel("Your name").fill("Ann");
  await answering.getByRole("button", { name: "Save" }).click();
  await answering.getByText("Send encrypted replies").click();
  const encrypted = answering.getByRole("switch", { name: "Send encrypted replies" });
  await encrypted.and(page.locator("[aria-checked=true][aria-busy=false]")).waitFor();
  await page.reload();
  await answering.getByRole("switch", { name: "Reply from this address" }).waitFor();
  expect(await answering.getByLabel("Your name").inputValue()).toBe("Ann");

  await openTab(page, "Contacts");
  await page.getByRole("button", { name: "Write to somebody" }).click();
  const dialog = page.getByRole("dialog", { name: "Write to somebody" });
  await dialog.getByLabel("Their email address").fill("shop@example.com; ann@example.net refused@");
  await dialog.getByRole("button", { name: "Get reverse address" }).click();
  await dialog.getByText("Send your email to").waitFor();
  // One that is refused does not hide those that were made.
  await dialog.getByRole("alert").waitFor();
  expect(await dialog.locator("code").allTextContents()).toEqual([
    expect.stringMatching(/^re\+[a-z2-7]{26}@postern\.localhost$/),
    expect.stringMatching(/^re\+[a-z2-7]{26}@postern\.localhost$/),
  ]);
  await dialog.getByRole("button", { name: "Done" }).click();
  const contact = page
    .getByRole("list", { name: "Contacts" })
    .getByRole("listitem")
    .filter({ hasText: "shop@example.com" });
  await contact.getByRole("button", { name: "Rename shop@example.com" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Tea Shop");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await contact.getByRole("button", { name: "Block Tea Shop" }).click();
  await contact.getByText("Blocked", { exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Search contacts" }).fill("tea");
  await eventually(async () =>
    expect(await page.getByRole("list", { name: "Contacts" }).getByRole("listitem").count()).toBe(1),
  );
  await contact.getByRole("button", { name: "Remove Tea Shop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove contact" }).click();
  await page.getByText("No contact contains “tea”.").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("what came is drawn by days, for the address and for all of them", async () => {
  const { page, complaints, close } = await onTheBoard(site);
  await sendMail(site.installation.smtpPort, { to: "alpha@postern.localhost", subject: "Drawn", text: "Hello." });
  const chart = page.getByRole("img", { name: /^Email a day over the last 30 days: 1 in all$/ });
  const isDrawn = () =>
    eventually(async () => {
      await page.reload();
      await chart.waitFor({ timeout: 3_000 });
    });
  await isDrawn();
  await page.getByRole("link", { name: "alpha@postern.localhost" }).click();
  await isDrawn();
  await page.getByText("1 email in the last 30 days", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("how many more addresses one can create is said, which the one of the sign-up does not count towards", async () => {
  const { page, close } = await site.visit();
  await signUp(page, somebody(), site.installation);
  await page.getByText("1 address", { exact: true }).waitFor();
  await page.getByText("You can create 2,000 more", { exact: true }).waitFor();
  await close();
});
