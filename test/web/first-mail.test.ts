import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { runCommand } from "../../scripts/peers/command.ts";
import { eventually } from "../support/eventually.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { makeAddress, openAddress, openTab } from "./support/addresses.ts";
import { linkTo, somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signUp } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(() => site?.close());

const makeFirstAddress = (page: Page) => makeAddress(page, "Create your first address");

test("from signing up to reading the first mail as it arrives, and removing the address", async () => {
  const { installation } = site;
  const ann = somebody();
  const { page, requests, complaints, close } = await site.visit({
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await signUp(page, ann, site.installation);

  await page.getByRole("heading", { level: 2, name: "Start with an address" }).waitFor();

  const proxyAddress = await makeFirstAddress(page);
  expect(proxyAddress).toMatch(/^\S+@postern\.localhost$/);
  // Copied as it was made.
  await page.getByText(`${proxyAddress} created and copied`).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(proxyAddress);
  await page.getByRole("heading", { level: 2, name: "Now send it an email" }).waitFor();
  expect(await page.getByRole("region", { name: "Now send it an email" }).textContent()).toContain(
    `curl -sS smtp://127.0.0.1:${installation.smtpPort}`,
  );
  await page.evaluate("navigator.clipboard.writeText('')");
  await page.getByRole("button", { name: `Copy ${proxyAddress}` }).click();
  await page.getByText(`Copied ${proxyAddress}.`).waitFor({ state: "attached" });
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(proxyAddress);

  // Told by the server, over the one connection, and not found by looking.
  await openAddress(page, proxyAddress);
  await page.getByRole("heading", { level: 3, name: "No email yet" }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await sendMail(installation.smtpPort, {
    from: "Tea Shop <orders@shop.example>",
    to: proxyAddress,
    subject: "Your tea · お茶",
    text: "It is on its way.",
    html: "<p>It is <b>on its way</b>.</p>",
    attachments: [{ filename: "Rechnung März.txt", content: "12.50" }],
  });
  const row = page.getByRole("link", { name: /Your tea · お茶/ });
  await row.waitFor();
  expect(await row.textContent()).toContain("1 attachment");
  expect(requests.filter((url) => url.endsWith("/events"))).toHaveLength(1);
  expect(await page.getByText("Live", { exact: true }).count()).toBe(1);

  await row.click();
  await page.getByRole("heading", { level: 1, name: "Your tea · お茶" }).waitFor();
  await page.frameLocator("iframe").getByText("on its way").waitFor();
  await page.getByRole("radio", { name: "Text", exact: true }).click();
  await page.getByText("It is on its way.", { exact: true }).waitFor();
  await arrivedInTheReadersZone(page);
  const log = page.getByRole("list", { name: "Event log" }).getByRole("listitem");
  await log.filter({ hasText: "Forwarded" }).getByText(ann.username).waitFor();
  const [attachment] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Rechnung März.txt" }).click(),
  ]);
  expect(attachment.suggestedFilename()).toBe("Rechnung März.txt");
  expect(await readFile(await attachment.path(), "utf8")).toBe("12.50");
  await page.getByRole("button", { name: "Headers" }).click();
  await page.getByRole("row", { name: /^From .*orders@shop\.example/ }).waitFor();
  await page.getByRole("button", { name: "Source" }).click();
  await page.getByRole("region", { name: "Source" }).getByText("Content-Type: multipart/mixed").waitFor();
  await log.filter({ hasText: "Copy kept" }).waitFor();
  await eventually(async () => {
    const forwarded = (await installation.outbound()).filter(({ envelopeTo }) => envelopeTo === ann.username);
    expect(forwarded.some(({ message }) => message.includes("It is on its way."))).toBe(true);
  });

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete email" }).click();
  await page.getByRole("heading", { level: 1, name: proxyAddress }).waitFor();
  await page.getByText("No email yet").waitFor();

  await openTab(page, "Settings");
  await page.getByRole("button", { name: "Remove this address" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove this address?" });
  expect(await question.textContent()).toMatch(/email to \S+ is rejected.*Email kept for it is deleted/);
  await question.getByRole("button", { name: "Remove address" }).click();
  await page.getByRole("heading", { level: 2, name: "Start with an address" }).waitFor();
  await expect(sendMail(installation.smtpPort, { to: proxyAddress, text: "Hello?" })).rejects.toMatchObject({
    responseCode: 550,
  });
  expect(complaints).toEqual([]);
  await close();
});

/** The visitor is in Paris, wherever the server is. */
async function arrivedInTheReadersZone(page: Page): Promise<void> {
  const time = page.locator("dl time");
  const at = new Date((await time.getAttribute("datetime")) ?? "");
  const inParis = { dateStyle: "medium", timeStyle: "short", timeZone: "Europe/Paris" } as const;
  expect(await time.textContent()).toBe(new Intl.DateTimeFormat("en-GB", inParis).format(at));
}

test("a stranger who does what the page says has read a first email after at most 10 clicks", async () => {
  const dan = somebody();
  const { page, complaints, close } = await site.visit();
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await page.goto("/");
  await click(page.getByRole("link", { name: "Create account" }));
  await page.getByLabel("Your email address").fill(dan.username);
  await page.getByLabel("Password").fill(dan.password);
  await click(button("Create account"));
  await page.getByText("Check your email to continue.").waitFor();
  const link = await linkTo(site.installation, dan.username, "confirm");
  clicks += 1;
  await page.goto(new URL(link).pathname);
  await page.getByLabel("Password").fill(dan.password);
  await click(button("Confirm and sign in"));
  await click(button("Create your first address"));
  await click(page.getByRole("dialog").getByRole("button", { name: "Create" }));
  await click(button("Copy the command"));
  const command =
    (await page.getByRole("region", { name: "Now send it an email" }).locator("code").textContent()) ?? "";
  await runCommand("sh", ["-c", command], 60_000);
  await page.getByRole("heading", { level: 2, name: "Read your first email" }).waitFor();
  await click(page.getByRole("link", { name: "Open its inbox" }));
  await click(page.getByRole("link", { name: /Hello from my new address/ }));
  // It is text alone, and shown as that.
  await page.getByText("A first email through Postern.").waitFor();
  expect(await page.getByRole("radio", { name: "HTML" }).count()).toBe(0);
  expect(clicks).toBeLessThanOrEqual(10);
  await eventually(async () => {
    const forwarded = (await site.installation.outbound()).filter(({ envelopeTo }) => envelopeTo === dan.username);
    expect(forwarded.filter(({ message }) => message.includes("A first email through Postern."))).toHaveLength(1);
  });
  expect(complaints).toEqual([]);
  await close();
});

test("an address can be made before one was suggested", async () => {
  const { page, complaints, close } = await site.visit();
  await signUp(page, somebody(), site.installation);
  await page.route("**/graphql", async (route) => {
    // Not before the page is done.
    if (route.request().postDataJSON().operationName === "SuggestedProxyAddress") return;
    await route.continue();
  });
  await page.getByRole("button", { name: "Create your first address" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: /^\S+@postern\.localhost$/ }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test("where the connection cannot be had, mail is looked for every few seconds", async () => {
  const bob = somebody();
  const { page, close } = await site.visit();
  await page.route("**/events", (route) => route.abort());
  await page.clock.install();
  await signUp(page, bob, site.installation);
  const proxyAddress = await makeFirstAddress(page);
  await openAddress(page, proxyAddress);
  await page.getByText("Reconnecting…").waitFor();
  await sendMail(site.installation.smtpPort, { to: proxyAddress, subject: "Anybody there?", text: "Hello." });
  const look = async () => {
    await page.clock.runFor(10_000);
    expect(await page.getByRole("link", { name: /Anybody there\?/ }).count()).toBe(1);
  };
  // A look that comes too soon calls off the one before it.
  await eventually(look, { restMs: 2_000 });
  await close();
});

test("an address whose mail is not kept says so, and is not asked for mail", async () => {
  const cid = somebody();
  const { page, complaints, close } = await site.visit();
  await signUp(page, cid, site.installation);
  await page.getByRole("button", { name: "Create your first address" }).click();
  await page.getByRole("dialog").getByText("Keep a copy here").click();
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  const operations: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/graphql")) operations.push(String(request.postDataJSON().operationName));
  });
  await page.getByRole("link", { name: /@postern\.localhost$/ }).click();
  await page.getByText("Email to this address is forwarded and not stored.").waitFor();
  await page.waitForLoadState("networkidle");
  expect(operations).toContain("ProxyBinding");
  expect(operations).not.toContain("Inbox");
  await openTab(page, "Settings");
  await page.getByText("Keep a copy here", { exact: true }).click();
  await openTab(page, "Email");
  await page.getByText("No email yet").waitFor();
  expect(complaints).toEqual([]);
  await close();
});
