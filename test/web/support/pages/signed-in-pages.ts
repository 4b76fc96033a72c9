import type { Route } from "playwright-core";
import { letProofsAge } from "../people.ts";
import { addressPages } from "./addresses.ts";
import { goTo, type ShownPage } from "./shown-page.ts";

/** What the populated account sees. */
export const ownersPages: readonly ShownPage[] = [
  ...addressPages,
  {
    name: "inbox",
    open: async (page) => {
      await goTo(page, "/inbox", "Inbox");
      await page.getByRole("link", { name: /Your order/ }).waitFor();
    },
  },
  {
    name: "failures",
    open: async (page) => {
      await goTo(page, "/failures", "Failures");
      await page.getByRole("list", { name: "Undelivered email" }).waitFor();
    },
  },
  {
    name: "email",
    open: async (page, { emailId }) => {
      await goTo(page, `/emails/${emailId}`, "Your order is on its way");
      await page.frameLocator("iframe").getByText("Dear customer").waitFor();
    },
  },
  {
    name: "email-open",
    open: async (page, { emailId }) => {
      await goTo(page, `/emails/${emailId}`, "Your order is on its way");
      for (const name of ["Headers", "Source"]) await page.getByRole("button", { name }).click();
      await page.getByRole("region", { name: "Source" }).waitFor();
    },
  },
  {
    name: "email-text",
    open: async (page, { emailId }) => {
      await goTo(page, `/emails/${emailId}`, "Your order is on its way");
      await page.getByRole("radio", { name: "Text", exact: true }).click();
      await page.getByText("Your order is on its way.", { exact: true }).waitFor();
    },
  },
  {
    name: "email-delete",
    open: async (page, { emailId }) => {
      await goTo(page, `/emails/${emailId}`, "Your order is on its way");
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "domains",
    open: async (page) => {
      await goTo(page, "/domains", "Domains");
      await page.getByLabel("Add a domain").waitFor();
    },
  },
  {
    name: "domain",
    open: async (page) => {
      await goTo(page, "/domains", "Domains");
      await page.getByLabel("Add a domain").fill("tea-shop.example");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("list", { name: "DNS records" }).waitFor();
    },
  },
  {
    name: "rule-new",
    open: async (page) => {
      await goTo(page, "/rules", "Rules");
      await page.getByRole("button", { name: "New rule" }).click();
      await page.getByRole("dialog", { name: "New rule" }).waitFor();
    },
  },
  {
    name: "rules",
    open: async (page) => {
      await goTo(page, "/rules", "Rules");
      await page.getByRole("button", { name: "New rule" }).click();
      await page.getByRole("dialog").getByRole("textbox", { name: "From" }).fill("loud.example");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByText("Not applied yet").first().waitFor();
    },
  },
  {
    name: "webhooks",
    open: async (page) => {
      await goTo(page, "/webhooks", "Webhooks");
      await page.getByRole("link", { name: "Your order is on its way" }).first().waitFor();
      await page.getByText("Body sent").first().click();
    },
  },
  {
    name: "webhook-remove",
    open: async (page) => {
      await goTo(page, "/webhooks", "Webhooks");
      await page.getByRole("button", { name: "Remove the webhook" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "webhook-addresses",
    open: async (page) => {
      await goTo(page, "/webhooks", "Webhooks");
      await page.getByRole("button", { name: /^Address:/ }).click();
      await page.getByRole("dialog", { name: "Choose an address" }).getByRole("menuitem").nth(1).waitFor();
    },
  },
  {
    name: "recorders",
    open: async (page) => {
      await goTo(page, "/recorders", "Test endpoints");
      await page.getByText("last called by").waitFor();
    },
  },
  {
    name: "recorder",
    open: async (page, { recorderId }) => {
      await goTo(page, `/recorders/${recorderId}`, "Test endpoint");
      await page.getByText('"hello": "world"').waitFor();
    },
  },
  {
    name: "recorder-remove",
    open: async (page, { recorderId }) => {
      await goTo(page, `/recorders/${recorderId}`, "Test endpoint");
      await page.getByRole("button", { name: "Remove this test endpoint" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "settings",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByText("This device").first().waitFor();
      await page.getByRole("button", { name: "Show the API token" }).waitFor();
    },
  },
  {
    name: "settings-second-factor",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
      await page.getByRole("img", { name: "The key as a QR code" }).waitFor();
    },
  },
  {
    name: "settings-token",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Regenerate token" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "settings-api-key",
    async open(page) {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Create API key" }).click();
      await page.getByText("This key may").waitFor();
    },
  },
  {
    name: "session-ended",
    complaint: /status of 401/,
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      const cookies = await page.context().cookies();
      await page.context().clearCookies();
      await page.getByRole("link", { name: "Inbox", exact: true }).click();
      await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
      // For the page after this one, and not before: with the session the dialog goes.
      const isPage = ({ pathname }: URL) => !/[.]|^[/](?:graphql|events)$/.test(pathname);
      const signInAgain = async (route: Route) => {
        await page.context().addCookies(cookies);
        await route.continue();
      };
      await page.route(isPage, signInAgain, { times: 1 });
    },
  },
  {
    name: "settings-proof",
    open: async (page, { installation }) => {
      await goTo(page, "/settings", "Settings");
      await letProofsAge(installation, installation.account.username);
      await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
      await page.getByRole("dialog", { name: "Confirm it's you" }).waitFor();
    },
  },
  {
    name: "settings-passkey",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("textbox", { name: "Name" }).waitFor();
    },
  },
  {
    name: "settings-delete",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Delete account" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "import",
    open: (page) => goTo(page, "/import", "Import"),
  },
  {
    name: "import-checked",
    open: async (page) => {
      await goTo(page, "/import", "Import");
      const buffer = Buffer.from("alias,note,enabled,mailboxes\nshop@sl.example,Shop,True,me@example.org\n");
      await page.getByLabel("File", { exact: true }).setInputFiles({ name: "sl.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: "Check file" }).click();
      await page.getByText("Gets a new address").waitFor();
    },
  },
  {
    name: "palette",
    open: async (page, { proxyAddress }) => {
      await goTo(page, "/settings", "Settings");
      await page.keyboard.press("Control+K");
      // Before its file has come there is nothing to type into.
      await page.getByRole("searchbox", { name: "Search or jump to" }).fill("tea");
      await page.getByRole("menuitem", { name: proxyAddress }).waitFor();
    },
  },
  {
    name: "shortcuts",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.keyboard.press("Shift+?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
  {
    name: "more",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      const more = page.getByRole("button", { name: "More" });
      if (await more.isVisible()) await more.click();
    },
  },
  { name: "not-found", open: (page) => goTo(page, "/no/such/page", "Page not found") },
];
