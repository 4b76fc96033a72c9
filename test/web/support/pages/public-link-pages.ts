import { somebody } from "../people.ts";
import { giveNewAccount } from "../visitor.ts";
import { goTo, type ShownPage } from "./shown-page.ts";

/** What somebody sees who has not signed in. */
export const strangersPages: readonly ShownPage[] = [
  { name: "sign-in", open: (page) => goTo(page, "/", "Sign in") },
  {
    name: "sign-in-refused",
    open: async (page) => {
      await goTo(page, "/", "Sign in");
      await page.getByLabel("Email address").fill("nobody@example.org");
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "sign-up", open: (page) => goTo(page, "/sign-up", "Create account") },
  {
    name: "sign-up-sent",
    open: async (page) => {
      await goTo(page, "/sign-up", "Create account");
      await giveNewAccount(page, somebody());
      await page.getByRole("heading", { level: 1, name: "Check your email" }).waitFor();
    },
  },
  { name: "forgotten", open: (page) => goTo(page, "/forgotten", "Choose a new password") },
  { name: "link-confirm", open: (page, { links }) => goTo(page, links.confirm, "Confirm your address") },
  {
    name: "link-confirm-refused",
    complaint: /status of 403/,
    open: async (page, { links }) => {
      await goTo(page, links.confirm, "Confirm your address");
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Confirm and sign in" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "link-verify", open: (page, { links }) => goTo(page, links.verify, "Is this address yours?") },
  { name: "link-reset", open: (page, { links }) => goTo(page, links.reset, "Choose a new password") },
  {
    name: "link-reset-refused",
    complaint: /status of 422/,
    open: async (page, { links }) => {
      await goTo(page, links.reset, "Choose a new password");
      await page.getByLabel("New password").fill("too long ".repeat(200));
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "link-gone",
    complaint: /status of 404/,
    open: (page) => goTo(page, "/verify/none", "This link does not work"),
  },
];
