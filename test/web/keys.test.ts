import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http/rest-client.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { chooseAddress } from "./support/addresses.ts";
import { goTo } from "./support/pages/shown-page.ts";
import { letProofsAge, type Person } from "./support/people.ts";
import { giveCredentials, newcomer, openSettings, section, shownToken, signOut } from "./support/settings.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await openSharedSite();
}, openLimitMs);
afterAll(() => site?.close());

/** Signs in again, which is a fresh proof, and comes back. */
async function proveAgain(page: Page, person: Person): Promise<void> {
  await signOut(page);
  await giveCredentials(page, person);
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await openSettings(page);
}

test("the API token is shown when asked for, and a new one takes its place", async () => {
  const { page, person, complaints, close } = await newcomer(site);
  const token = section(page, "API token");
  const read = async () => (await token.locator(".secret code").textContent()) ?? "";
  const statusWith = async (value: string) =>
    (await call(`${site.installation.url}/api/v1/proxy-bindings`, "GET", undefined, { token: value })).status;
  expect(await read()).toMatch(/^•+$/);
  const former = await shownToken(page);
  expect(await statusWith(former)).toBe(200);
  await token.getByRole("button", { name: "Regenerate token" }).click();
  const question = page.getByRole("alertdialog", { name: "Regenerate token?" });
  await question.getByRole("button", { name: "Regenerate token" }).click();
  await question.waitFor({ state: "detached" });
  const latest = await read();
  expect(latest).not.toBe(former);
  expect([await statusWith(former), await statusWith(latest)]).toEqual([403, 200]);

  // A while later the password is asked for, and what was begun goes on.
  await letProofsAge(site.installation, person.username);
  await token.getByRole("button", { name: "Regenerate token" }).click();
  await question.getByRole("button", { name: "Regenerate token" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByLabel("Your password").fill("not the password");
  await proof.getByRole("button", { name: "Confirm" }).click();
  await proof.getByText("This is not the account's password.").waitFor();
  expect(await proof.getByRole("button", { name: "Use a passkey" }).count()).toBe(0);
  await proof.getByLabel("Your password").fill(person.password);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await question.waitFor({ state: "detached" });
  expect(await statusWith(latest)).toBe(403);

  // Who would rather not is told that nothing was done.
  await letProofsAge(site.installation, person.username);
  await token.getByRole("button", { name: "Regenerate token" }).click();
  await question.getByRole("button", { name: "Regenerate token" }).click();
  await proof.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("alert").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await proveAgain(page, person);

  const secret = section(page, "Webhook secret");
  await secret.getByRole("button", { name: "Show the webhook secret" }).click();
  const before = await secret.locator(".secret code").textContent();
  expect(before).toMatch(/^whsec_/);
  await secret.getByRole("button", { name: "Regenerate secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Regenerate secret" }).click();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  expect(await secret.locator(".secret code").textContent()).not.toBe(before);
  expect(complaints).toEqual([]);
  await close();
});

test("an API key is created for what it may do, shown once, and revoked", async () => {
  const { page, complaints, close } = await newcomer(site);
  const keys = section(page, "API keys");
  await keys.getByRole("button", { name: "Create API key" }).click();
  await keys.getByLabel("Name").fill("Password manager");
  const usual = keys.getByRole("switch", { name: "Create addresses" });
  await usual.uncheck({ force: true });
  await keys.getByRole("button", { name: "Create API key" }).click();
  await keys.getByRole("alert").filter({ hasText: "Choose at least one." }).waitFor();
  await usual.check({ force: true });
  await keys.getByText("See addresses").click();
  await keys.getByRole("button", { name: "Create API key" }).click();
  const key = (await keys.locator(".secret code").textContent()) ?? "";
  expect(key).toMatch(/^psk_/);
  const statusOf = async (method: string, path: string) =>
    (await call(`${site.installation.url}${path}`, method, undefined, { token: key })).status;
  expect(await statusOf("GET", "/api/v1/proxy-bindings")).toBe(200);
  expect(await statusOf("GET", "/api/v1/api-token")).not.toBe(200);
  await page.reload();
  await keys.getByRole("listitem").filter({ hasText: "Create addresses, See addresses" }).waitFor();
  expect(await keys.getByText(key).count()).toBe(0);
  await keys.getByRole("button", { name: "Revoke Password manager" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }).click();
  await keys.getByRole("listitem").waitFor({ state: "detached" });
  expect(await statusOf("GET", "/api/v1/proxy-bindings")).toBe(403);
  expect(complaints).toEqual([]);
  await close();
});

test("the account's webhook is set and tested, and shows what it was told", async () => {
  const { page, complaints, close } = await newcomer(site);
  const { url } = site.installation;
  const headers = { token: await shownToken(page) };
  const recorder = (await call(`${url}/api/v1/callback`, "POST", undefined, headers)).body;
  await goTo(page, "/webhooks", "Webhooks");
  await page.getByRole("textbox", { name: "URL" }).fill(String(recorder?.["call_url"]));
  const kinds = page.getByRole("group", { name: "What it is called for" }).getByRole("switch");
  for (const kind of await kinds.all()) await kind.uncheck({ force: true });
  await page.getByRole("button", { name: "Save" }).click();
  // Why it was not saved is said where it is mended.
  await page.getByRole("alert").filter({ hasText: "Choose at least one." }).waitFor();
  await kinds.first().and(page.locator(":focus")).waitFor();
  for (const kind of await kinds.all()) await kind.check({ force: true });
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.getByText("A delivery bounced").click();
  await page.getByRole("button", { name: "Save" }).click();
  const sendTest = page.getByRole("button", { name: "Send a test" });
  await sendTest.waitFor();
  // The form is another for another URL.
  await eventually(async () => expect(await page.locator(":focus").textContent()).toBe("Webhooks"));
  await sendTest.click();
  await page.getByText("Answered 200").waitFor();
  const attributes = { is_browsable: true };
  const body = { data: { type: "proxy_bindings", attributes } };
  const answer = await call(`${url}/api/v1/proxy-bindings`, "POST", body, headers);
  const proxyAddress = String(answer.body?.["data"]?.["attributes"]?.["proxy_address"]);
  const tagged = proxyAddress.replace("@", "+shop@");
  await sendMail(site.installation.smtpPort, { to: tagged, subject: "Parcel", text: "Nothing of this is told." });
  const made = page.getByRole("listitem").filter({ hasText: "An address was created" });
  await eventually(async () => {
    await page.reload();
    await page.getByRole("heading", { name: "Events sent" }).waitFor();
    expect(await made.filter({ hasText: "Delivered" }).count()).toBe(1);
  });
  expect(await made.textContent()).toContain(proxyAddress);
  const arrived = page.getByRole("listitem").filter({ hasText: "An email arrived" });
  await eventually(async () => {
    await page.reload();
    await page.getByRole("heading", { name: "Events sent" }).waitFor();
    expect(await arrived.filter({ hasText: "Delivered" }).filter({ hasText: tagged }).count()).toBe(1);
  });
  await arrived.getByText("Body sent").click();
  await arrived.getByText('"kind": "email.arrived"').waitFor();
  expect(await arrived.textContent()).not.toContain("Nothing of this");
  await arrived.getByRole("link", { name: "Parcel" }).click();
  await page.getByRole("heading", { level: 1, name: "Parcel" }).waitFor();
  await page.getByRole("navigation", { name: "Other emails" }).getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("combobox", { name: "State" }).selectOption("Failed");
  await page.getByText("There are no such events.").waitFor();
  await page.getByRole("combobox", { name: "State" }).selectOption("Delivered");
  await made.waitFor();
  await chooseAddress(page, proxyAddress);
  await made.waitFor();
  expect(page.url()).toMatch(/[?]view=delivered&address=./);
  await page.getByRole("button", { name: "Send again: An address was created" }).click();
  await page.getByText("1 event is sent again.").waitFor();
  await page.getByRole("button", { name: "Remove the webhook" }).click();
  // What waits for it is lost.
  const question = page.getByRole("alertdialog", { name: "Remove the webhook?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove the webhook" }).click();
  await question.getByRole("button", { name: "Remove webhook" }).click();
  await page.getByRole("heading", { name: "Events sent" }).waitFor({ state: "detached" });
  await eventually(async () => expect(await page.locator(":focus").textContent()).toBe("Webhooks"));
  expect(complaints).toEqual([]);
  await close();
});

test("a page of another origin makes addresses by a key, in either manner; elsewhere its browser stops it", async () => {
  const { url } = site.installation;
  const { page, close } = await newcomer(site);
  const token = await shownToken(page);
  await close();
  const other = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<p>Vault"),
  ).listen(0);
  await once(other, "listening");
  const context = await site.browser.newContext();
  const foreign = await context.newPage();
  await foreign.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  // As a page's script asks: the headers and the type of the body are what a preflight is sent for.
  const post = (path: string, headers: Record<string, string>, body: unknown) =>
    foreign.evaluate(
      async ([target, given, text]) => {
        const type = { "content-type": "application/json" };
        const answer = await fetch(target, { method: "POST", headers: { ...type, ...given }, body: text }).catch(
          () => null,
        );
        return answer && { status: answer.status, text: await answer.text() };
      },
      [`${url}${path}`, headers, JSON.stringify(body)] as const,
    );
  const made = { status: 201, text: expect.stringContaining("@postern.localhost") };
  expect(await post("/api/alias/random/new?hostname=shop.example", { authentication: token }, { note: "" })).toEqual(
    made,
  );
  const bearer = { authorization: `Bearer ${token}`, "x-requested-with": "XMLHttpRequest" };
  expect(await post("/addy/api/v1/aliases", bearer, { domain: "postern.localhost" })).toEqual(made);
  expect(await post("/api/v1/proxy-bindings", { token }, {})).toBeNull();
  await context.close();
  other.close();
});
