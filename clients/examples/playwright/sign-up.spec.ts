import { test as base, expect } from "@playwright/test";
import { fixtures, type PosternFixtures, type PosternWorkerFixtures } from "@postern/client/playwright";

const test = base.extend<PosternFixtures, PosternWorkerFixtures>(fixtures);

test("who opens the link in the mail has signed up", async ({ page, inbox }) => {
  await page.goto("/");
  await page.getByLabel("Email").fill(inbox.address);
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByRole("heading")).toHaveText("Look into your mail");
  const { links, codes } = await inbox.next({ subject: "Confirm" });
  await page.goto(links[0] ?? "");
  await expect(page.getByRole("heading")).toHaveText("Welcome");
  await expect(page.getByRole("status")).toHaveText(codes[0] ?? "");
});

test("another test has an inbox of its own", async ({ page, inbox }) => {
  await page.goto("/");
  await page.getByLabel("Email").fill(inbox.address);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.goto(await inbox.link({ matching: /confirm/ }));
  await expect(page.getByRole("heading")).toHaveText("Welcome");
  await expect(inbox.next({ timeoutMs: 0 })).rejects.toThrow("No email came in time");
});
