import { generate } from "otplib";
import type { Page } from "playwright-core";
import { section } from "./settings.ts";

/** The code of this moment, or of some steps of 30 s later: each is good once. */
export const codeOf = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });

/** Switches the second factor on, in the settings. @returns its key, and the recovery codes */
export async function setUpSecondFactor(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  const factor = section(page, "Two-factor authentication");
  await factor.getByRole("button", { name: "Set up two-factor authentication" }).click();
  await factor.getByRole("img", { name: "The key as a QR code" }).waitFor();
  const secret = (await factor.locator(".secret code").textContent()) ?? "";
  await factor.getByRole("textbox", { name: "Code" }).fill("123");
  await factor.getByRole("button", { name: "Enable" }).click();
  await factor.getByRole("alert").waitFor();
  await factor.getByRole("textbox", { name: "Code" }).fill(await codeOf(secret));
  await factor.getByRole("button", { name: "Enable" }).click();
  await factor.getByText("Two-factor authentication is on.").waitFor();
  const recoveryCodes = await factor.getByRole("listitem").allTextContents();
  await factor.getByRole("button", { name: "I've saved them" }).click();
  await factor.getByText("Enabled").waitFor();
  return { secret, recoveryCodes };
}
