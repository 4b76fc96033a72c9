import type { Page } from "playwright-core";
import type { WebInstallation } from "../web-installation.ts";

/** A state of the application that a person sees, and how to come to it. */
export interface ShownPage {
  readonly name: string;
  /** What the browser complains of there, and may: an answer that is an error. */
  readonly complaint?: RegExp;
  open(page: Page, web: WebInstallation): Promise<void>;
}

/** Opens a path, and waits for the heading of its page. */
export async function goTo(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}
