import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { somebody } from "./support/people.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn, signUp } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite();
}, openLimitMs);
afterAll(() => site?.close());

/** Headers included. */
const limitBytes = { signIn: 110_000, addresses: 170_000 };

/** Counts what comes over the network from now on, headers included, as the browser itself measures it. */
async function countBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return () => bytes;
}

test("the first page takes less than 110 kB, and all up to the addresses less than 170 kB", async () => {
  const { page, complaints, close } = await site.visit();
  const bytes = await countBytes(page);
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  const upToSignIn = bytes();
  // Below that it would not have been counted.
  expect(upToSignIn).toBeGreaterThan(20_000);
  expect(upToSignIn).toBeLessThan(limitBytes.signIn);
  await signIn(page, site.installation.account);
  expect(bytes()).toBeGreaterThan(upToSignIn);
  expect(bytes()).toBeLessThan(limitBytes.addresses);
  expect(complaints).toEqual([]);
  await close();
});

test("what comes later than the rest of the list of addresses moves nothing that is shown", async () => {
  const { installation } = site;
  const { page, complaints, close } = await site.visit({ viewport: { width: 390, height: 844 } });
  await signUp(page, somebody(), installation);
  const proxyAddress = await page.getByRole("link", { name: "@postern.localhost" }).textContent();
  await sendMail(installation.smtpPort, { to: String(proxyAddress), subject: "Counted", text: "One." });
  const chart = page.getByRole("figure");
  await eventually(async () => {
    await page.reload();
    await chart.waitFor({ timeout: 2_000 });
  });
  await page.addInitScript(`
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
  `);
  const [isCounted, isToCome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  page.on("response", (response) => {
    if (response.request().postData()?.includes("AccountMail")) isCounted.resolve();
  });
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName === "ProxyBindings") await isToCome.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Your addresses" }).waitFor();
  await isCounted.promise;
  const isPainted = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
  await page.evaluate(isPainted);
  isToCome.resolve();
  await chart.waitFor();
  await page.getByRole("heading", { level: 2, name: "Read your first email" }).waitFor();
  await page.evaluate(isPainted);
  const shifts = await page.evaluate(
    "window.shifts.flatMap(({ sources }) => sources.map(({ node }) => node?.className))",
  );
  expect(shifts).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test("every page is served with a policy that runs and loads its own files alone", async () => {
  for (const path of ["/", "/addresses/1", "/settings"]) {
    const { headers } = await fetch(site.installation.url + path, { headers: { accept: "text/html" } });
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

test("the session and the browser's name are cookies out of reach of scripts, and of other sites' requests", async () => {
  const { page, close } = await site.visit();
  await signIn(page, site.installation.account);
  const cookies = await page.context().cookies();
  const closed = { httpOnly: true, sameSite: "Lax", path: "/" };
  expect(cookies).toMatchObject([
    { ...closed, name: "postern-session" },
    { ...closed, name: "postern-device" },
  ]);
  expect(await page.evaluate("document.cookie")).toBe("");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  // The browser stays known: no stranger's wrong passwords keep it out.
  expect(await page.context().cookies()).toMatchObject([{ name: "postern-device" }]);
  await close();
});
