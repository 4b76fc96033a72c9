import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { openTab } from "./support/addresses.ts";
import { axeFindings } from "./support/axe.ts";
import { openLimitMs, openSite, type Site } from "./support/site.ts";
import { signIn } from "./support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await openSite({ AUTOMATIC_BINDING: "false" });
}, openLimitMs);
afterAll(() => site?.close());

test("an email that is read here is answered through the reverse address of its author, once its address may reply", async () => {
  const { installation } = site;
  const rest = await installation.rest();
  const made = { is_browsable: true, real_addresses: [installation.account.username] };
  const { id, proxyAddress } = await makeBinding(rest, made);
  const send = (subject: string, replyTo?: string) =>
    sendMail(installation.smtpPort, {
      ...{ from: "Ann <ann@shop.example>", to: proxyAddress, subject, text: "Is it there?" },
      ...(replyTo === undefined ? {} : { replyTo }),
    });
  const [plain] = emailIds(await send("Your order & more"));
  const [elsewhere] = emailIds(await send("Re: Your order", '"Help, by Ann" <help@shop.example>'));
  const { page, complaints, close } = await site.visit();
  await signIn(page, installation.account);
  const reply = page.getByRole("button", { name: "Reply", exact: true });
  const dialog = page.getByRole("dialog", { name: "Reply" });

  await page.goto(`/emails/${plain}`);
  await reply.click();
  await dialog.getByText("Turn on “Reply from this address” in the settings").waitFor();
  await dialog.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: proxyAddress }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/addresses/${id}/settings`);
  const toggle = page.getByRole("switch", { name: "Reply from this address" });
  await toggle.press("Space");
  await toggle.and(page.locator("[aria-checked=true][aria-busy=false]")).waitFor();

  for (const [email, author, subject] of [
    [plain, "ann@shop.example", "Re: Your order & more"],
    [elsewhere, "help@shop.example", "Re: Your order"],
  ]) {
    await page.goto(`/emails/${email}`);
    await reply.click();
    await dialog.getByText(author ?? "").waitFor();
    const reverseAddress = await dialog.locator("code").textContent();
    expect(reverseAddress).toMatch(/^re\+/);
    const program = dialog.getByRole("link", { name: "Open email program" });
    const { protocol, pathname, searchParams } = new URL((await program.getAttribute("href")) ?? "");
    expect([protocol, pathname, searchParams.get("subject")]).toEqual(["mailto:", reverseAddress, subject]);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.locator(":focus").and(reply).waitFor();
  }
  await page.goto(`/addresses/${id}`);
  await openTab(page, "Contacts");
  await page.getByRole("list", { name: "Contacts" }).getByText("help@shop.example").first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});
