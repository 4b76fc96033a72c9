import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(() => site?.close());

test("an address that email is forwarded to is removed after it was said what that means, and the focus stays nearby", async () => {
  const owner = site.installation.account.username;
  const made = { real_addresses: [owner, "partner@example.net", "third@example.net"] };
  const { id, proxyAddress } = await makeBinding(await site.installation.rest(), made);
  const { page, complaints, close } = await site.visit();
  await signIn(page, site.installation.account);
  await page.goto(`/addresses/${id}/settings`);
  const removal = (address: string) => page.getByRole("button", { name: `Remove ${address}` });
  const dialog = page.getByRole("alertdialog", { name: "Stop forwarding to this address?" });
  const said = `From now on, email to ${proxyAddress} is not forwarded to partner@example.net.`;

  await removal("partner@example.net").press("Enter");
  await dialog.getByText(said).waitFor();
  await dialog.getByText("Your other addresses are not affected.").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(":focus").and(removal("partner@example.net")).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Stop forwarding" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await removal("partner@example.net").count()).toBe(0);
  await page.locator("li", { hasText: "third@example.net" }).locator(":focus").waitFor();

  // The only one that is on: nothing is forwarded then.
  await page.getByRole("switch", { name: "third@example.net" }).press("Space");
  await page.getByRole("switch", { name: "third@example.net" }).and(page.locator("[aria-busy=false]")).waitFor();
  await removal("third@example.net").click();
  await dialog.waitFor();
  expect(await dialog.getByText("No other address is switched on").count()).toBe(0);
  await page.keyboard.press("Escape");
  await removal(owner).click();
  await dialog.getByText("No other address is switched on, so it is not forwarded at all then.").waitFor();
  expect(complaints).toEqual([]);
  await close();
});
