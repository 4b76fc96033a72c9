import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { DnsServer } from "../support/peers/dns-server.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let dns: DnsServer;
let site: Site;

beforeAll(async () => {
  dns = await DnsServer.start({});
  site = await openSite({ DNS_SERVERS: dns.address });
}, openLimitMs);
afterAll(async () => {
  await site?.close();
  await dns?.stop();
});

test("a domain is added, proved by the records that its page shows, used for an address, and removed", async () => {
  const { page, complaints, close } = await site.visit();
  await signIn(page, site.installation.account);
  await page.getByRole("link", { name: "Domains" }).click();
  await page.getByText("You have no domains yet.").waitFor();
  await page.getByLabel("Add a domain").fill("postern.localhost");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Add a domain").fill("tea shop");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Enter the name alone").waitFor();
  // As it stands in the address bar.
  await page.getByLabel("Add a domain").fill("https://Tea.Example./shop?a=b");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "tea.example" }).waitFor();
  await page.getByText("Not verified yet").waitFor();

  // What the page says is enough: the owner copies it to the registrar.
  const records = page.getByRole("list", { name: "DNS records" }).getByRole("listitem");
  for (const record of await records.all()) {
    const [type = "", host] = ((await record.getByRole("heading").textContent()) ?? "").split(" ");
    const name = host === "@" ? "tea.example" : `${host}.tea.example`;
    const [, value] = await record.locator("code").allTextContents();
    if (value !== undefined) dns.zone[`${name} ${type}`] = [type === "MX" ? value.replace(/\.$/, "") : value];
  }
  expect(Object.keys(dns.zone)).toContain("_postern.tea.example TXT");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("You can create addresses on this domain.").waitFor();
  await records.filter({ hasText: "_postern" }).getByText("OK").waitFor();

  // New keys come beside those that sign, which go on until the new ones are found.
  await page.getByRole("button", { name: "Make new DKIM keys" }).click();
  const next = records.filter({ hasText: "The next key" });
  await next.nth(1).waitFor();
  expect(await next.count()).toBe(2);

  // What takes mail to addresses that do not exist yet.
  const patterns = page.getByRole("region", { name: "New addresses by themselves" });
  await patterns.getByRole("button", { name: "Take everything" }).click();
  await patterns.getByRole("button", { name: "Save" }).click();
  await page.getByText("Patterns saved.").waitFor();
  await sendMail(site.installation.smtpPort, { to: "made-by-mail@tea.example", subject: "To anybody", text: "Hello." });

  await page.getByRole("link", { name: "Addresses" }).click();
  await eventually(async () => {
    await page.reload();
    // The list comes after the page: as it is loaded there is none yet.
    await page.getByRole("link", { name: "made-by-mail@tea.example" }).waitFor({ timeout: 3_000 });
  });
  await page.getByRole("button", { name: "New address" }).click();
  const dialog = page.getByRole("dialog", { name: "New address" });
  await dialog.getByLabel("Address", { exact: true }).fill("shop");
  await dialog.getByRole("combobox", { name: "Domain" }).selectOption("@tea.example");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: "shop@tea.example" }).waitFor();
  await sendMail(site.installation.smtpPort, { to: "shop@tea.example", subject: "To my own domain", text: "Hello." });

  await page.getByRole("link", { name: "Domains" }).click();
  await page.getByRole("link", { name: "tea.example" }).click();
  await page.getByRole("button", { name: "Remove this domain" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove domain" }).click();
  await page.getByText("You have no domains yet.").waitFor();
  expect(complaints).toEqual([]);
  await close();
});
