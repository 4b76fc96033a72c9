import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { openTab } from "./support/addresses.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let site: Site;
let proxyAddress: string;

beforeAll(async () => {
  site = await openSite();
  const made = { real_addresses: [site.installation.account.username], is_browsable: true };
  ({ proxyAddress } = await makeBinding(await site.installation.rest(), made));
}, openLimitMs);
afterAll(() => site?.close());

test("a rule is made, decides about mail, is changed, moved and removed", async () => {
  const { page, complaints, close } = await site.visit();
  await signIn(page, site.installation.account);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rules" }).click();
  await page.getByText("No rules yet").waitFor();
  await page.getByRole("button", { name: "New rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Please fill out this field.").waitFor(); // A condition left empty is not left out.
  await dialog.getByRole("textbox", { name: "From" }).fill("loud.example");
  // Nothing is asked that goes with no such rule.
  const extras = { tag: dialog.getByLabel("Put before the subject"), limit: dialog.getByLabel("At most, each hour") };
  await dialog.getByRole("combobox", { name: "Then" }).selectOption("Deliver as usual");
  await extras.tag.fill("[loud]");
  await extras.limit.fill("5");
  await dialog.getByRole("combobox", { name: "Then" }).selectOption("Accept and discard it");
  expect([await extras.tag.count(), await extras.limit.count()]).toEqual([0, 1]);
  await dialog.getByRole("combobox", { name: "Then" }).selectOption("Refuse it");
  expect([await extras.tag.count(), await extras.limit.count()]).toEqual([0, 0]);
  await dialog.getByRole("button", { name: "Try it on the last 30 days" }).click();
  await dialog.getByText("It would have decided about 0 of 0 emails.").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  const rules = page.getByRole("region", { name: "All addresses" }).getByRole("listitem");
  await rules.filter({ hasText: "From: loud.example" }).getByText("Refuse it").waitFor();
  // What opened the dialog is gone with the words that there is none yet.
  await eventually(async () => expect(await page.locator(":focus").textContent()).toBe("Rules"));
  await rules.getByText("Not applied yet").waitFor();

  await page.getByRole("button", { name: "New rule" }).click();
  await dialog.getByRole("combobox", { name: "What to look at" }).selectOption("Subject contains");
  await dialog.getByRole("textbox", { name: "Subject contains" }).fill('invoice, "Hello, Jane"');
  await dialog.getByRole("combobox", { name: "Then" }).selectOption("Deliver as usual");
  await dialog.getByLabel("Put before the subject").fill("[money]");
  await dialog.getByLabel("Name", { exact: true }).fill("Money");
  await dialog.getByRole("button", { name: "Save" }).click();
  await rules.filter({ hasText: "Money" }).getByText("put “[money]” before the subject").waitFor();
  await page.getByRole("button", { name: "Move up: Money" }).click();
  await eventually(async () => expect(await rules.first().textContent()).toContain("Money"));
  await page.getByRole("button", { name: "Edit: Money" }).click();
  expect(await dialog.getByRole("textbox", { name: "Subject contains" }).inputValue()).toBe('invoice, "hello, jane"');
  await dialog.getByRole("combobox", { name: "Then" }).selectOption("Only keep it here");
  await dialog.getByLabel("Put before the subject").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await rules.filter({ hasText: "Money" }).getByText("Only keep it here").waitFor();
  // What was not touched is what it was: a rule that is opened and saved takes no more mail than before.
  await rules.filter({ hasText: 'Subject contains: invoice, "hello, jane"' }).waitFor();
  await page.getByRole("button", { name: "Remove: Money" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove rule" }).click();
  await eventually(async () => expect(await rules.count()).toBe(1));
  await eventually(async () =>
    expect(await page.locator(":focus").getAttribute("aria-label")).toMatch(/loud\.example/),
  );
  expect(complaints).toEqual([]);
  await close();
});

test("a sender is blocked from an email, which makes a rule", async () => {
  const { installation } = site;
  await sendMail(installation.smtpPort, {
    to: proxyAddress,
    from: "Pest <pest@spam.example>",
    subject: "Buy",
    text: "!",
  });
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  await page.getByRole("link", { name: "Inbox", exact: true }).click();
  await page.getByRole("link", { name: /Pest.*Buy/ }).click();
  await page.getByRole("button", { name: "Block sender" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("combobox", { name: "Where" }).selectOption("At all of my addresses");
  await dialog.getByRole("button", { name: "Block sender" }).click();
  await page.getByText("pest@spam.example is blocked.").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rules" }).click();
  const rule = page
    .getByRole("region", { name: "All addresses" })
    .getByRole("listitem")
    .filter({ hasText: "pest@spam" });
  await rule.getByText("Refuse it").waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("an address has rules of its own", async () => {
  const { page, complaints, close } = await site.visit();
  await signIn(page, site.installation.account);
  await page.getByRole("link", { name: proxyAddress }).click();
  await openTab(page, "Rules");
  await page.getByText("No rules yet").waitFor();
  await page.getByRole("button", { name: "New rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove the condition: From" }).click();
  await dialog.getByRole("combobox", { name: "Then" }).selectOption("Only keep it here");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("listitem").filter({ hasText: "Every email" }).getByText("Only keep it here").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rules" }).click();
  await page.getByRole("region", { name: proxyAddress }).getByText("Every email").waitFor();
  expect(complaints).toEqual([]);
  await close();
});
