import type { Page } from "playwright-core";
import { makeBinding } from "../../../support/http/rest-bindings.ts";
import { goTo, type ShownPage } from "./shown-page.ts";

/** The list of addresses and the pages of each, as the populated account sees them. */
export const addressPages: readonly ShownPage[] = [
  { name: "board", open: (page) => board(page) },
  {
    name: "binding-settings",
    open: async (page, { bindingId, proxyAddress }) => {
      await goTo(page, `/addresses/${bindingId}/settings`, proxyAddress);
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByText("Answered 200").waitFor();
    },
  },
  {
    name: "board-create",
    open: async (page) => {
      await board(page);
      await page.getByRole("button", { name: "New address" }).click();
      await page.getByRole("dialog", { name: "New address" }).waitFor();
    },
  },
  {
    name: "binding-remove",
    open: async (page, { bindingId, proxyAddress }) => {
      await goTo(page, `/addresses/${bindingId}/settings`, proxyAddress);
      await page.getByRole("button", { name: "Remove this address" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "board-nothing-found",
    open: async (page) => {
      await board(page);
      await page.getByRole("searchbox").fill("no such thing");
      await page.getByText("No address matches").waitFor();
    },
  },
  {
    name: "board-selected",
    open: async (page, { proxyAddress }) => {
      await board(page);
      await page.getByRole("checkbox", { name: `Select ${proxyAddress}` }).press("Space");
      await page.getByText("1 address selected").waitFor();
    },
  },
  {
    name: "board-label",
    open: async (page, { proxyAddress }) => {
      await board(page);
      await page.getByRole("checkbox", { name: `Select ${proxyAddress}` }).press("Space");
      await page.getByRole("button", { name: "Add label" }).click();
      await page.getByRole("dialog", { name: "Add label" }).waitFor();
    },
  },
  {
    name: "contacts-off",
    open: async (page, { bindingId, proxyAddress }) => {
      await goTo(page, `/addresses/${bindingId}/contacts`, proxyAddress);
      await page.getByText("No contacts yet").waitFor();
    },
  },
  {
    name: "binding-not-kept",
    open: async (page) => {
      await board(page);
      const rows = page.getByRole("row").or(page.getByRole("listitem"));
      await rows.filter({ hasText: "Only for the warehouse" }).getByRole("link").click();
      await page.getByText("Email to this address is forwarded and not stored.").waitFor();
    },
  },
  {
    name: "binding",
    open: async (page, { bindingId, proxyAddress }) => {
      await goTo(page, `/addresses/${bindingId}`, proxyAddress);
      await page.getByRole("link", { name: /Your order/ }).waitFor();
    },
  },
  {
    name: "contacts",
    open: async (page, { installation }) => {
      const { id, proxyAddress } = await makeBinding(await installation.rest(), { is_browsable: true });
      await goTo(page, `/addresses/${id}/settings`, proxyAddress);
      await page.getByText("Reply from this address", { exact: true }).click();
      await page.getByLabel("Your name").waitFor();
      await goTo(page, `/addresses/${id}/contacts`, proxyAddress);
      await page.getByRole("button", { name: "Write to somebody" }).click();
      const dialog = page.getByRole("dialog", { name: "Write to somebody" });
      await dialog.getByLabel("Their email address").fill("shop@example.com, ann@example.net");
      await dialog.getByRole("button", { name: "Get reverse address" }).click();
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Copy reverse address of ann@example.net" }).waitFor();
    },
  },
];

async function board(page: Page): Promise<void> {
  await goTo(page, "/", "Your addresses");
  await page.getByText("The tea shop").waitFor();
}
