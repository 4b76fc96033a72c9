import type { Page } from "playwright-core";
import type { Scene } from "./scene.ts";

/** A state of the application that a person sees, and how to come to it. */
export interface ShownPage {
  readonly name: string;
  /** Who is looking: nobody who is signed in, or the account of the scene. */
  readonly who: "stranger" | "owner";
  open(page: Page, scene: Scene): Promise<void>;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Every page, and every dialog and panel that opens on one. */
export const shownPages: readonly ShownPage[] = [
  { name: "sign-in", who: "stranger", open: (page) => goTo(page, "/", "Sign in") },
  {
    name: "sign-in-refused",
    who: "stranger",
    open: async (page) => {
      await goTo(page, "/", "Sign in");
      await page.getByLabel("Email address").fill("nobody@example.org");
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "sign-up", who: "stranger", open: (page) => goTo(page, "/sign-up", "Make an account") },
  { name: "forgotten", who: "stranger", open: (page) => goTo(page, "/forgotten", "Choose a new password") },
  { name: "board", who: "owner", open: (page) => board(page) },
  {
    name: "board-change",
    who: "owner",
    open: async (page, { proxyAddress }) => {
      await board(page);
      await page.getByRole("button", { name: `Change ${proxyAddress}` }).click();
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByText("Answered 200").waitFor();
    },
  },
  {
    name: "board-create",
    who: "owner",
    open: async (page) => {
      await board(page);
      await page.getByRole("button", { name: "New address" }).click();
      await page.getByRole("dialog", { name: "New address" }).waitFor();
    },
  },
  {
    name: "board-remove",
    who: "owner",
    open: async (page, { proxyAddress }) => {
      await board(page);
      await page.getByRole("button", { name: `Change ${proxyAddress}` }).click();
      await page.getByRole("button", { name: "Remove this address" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "binding",
    who: "owner",
    open: async (page, { bindingId, proxyAddress }) => {
      await goTo(page, `/addresses/${bindingId}`, proxyAddress);
      await page.getByRole("link", { name: /Your order/ }).waitFor();
    },
  },
  {
    name: "email",
    who: "owner",
    open: async (page, { emailId }) => {
      await goTo(page, `/emails/${emailId}`, "Your order is on its way");
      await page.frameLocator("iframe").getByText("Dear customer").waitFor();
    },
  },
  {
    name: "email-open",
    who: "owner",
    open: async (page, { emailId }) => {
      await goTo(page, `/emails/${emailId}`, "Your order is on its way");
      for (const name of ["Every step in words", "Headers", "Source"]) await page.getByRole("button", { name }).click();
      await page.getByRole("region", { name: "Source" }).waitFor();
    },
  },
  {
    name: "recorders",
    who: "owner",
    open: async (page) => {
      await goTo(page, "/recorders", "Recorders");
      await page.getByText("last called by").waitFor();
    },
  },
  {
    name: "recorder",
    who: "owner",
    open: async (page, { recorderId }) => {
      await goTo(page, `/recorders/${recorderId}`, "Recorder");
      await page.getByText('"hello": "world"').waitFor();
    },
  },
  {
    name: "settings",
    who: "owner",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByText("This one").first().waitFor();
      await page.getByRole("button", { name: "Show the API token" }).waitFor();
    },
  },
  {
    name: "settings-second-factor",
    who: "owner",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Set up a second factor" }).click();
      await page.getByRole("img", { name: "The key as a QR code" }).waitFor();
    },
  },
  {
    name: "settings-delete",
    who: "owner",
    open: async (page) => {
      await goTo(page, "/settings", "Settings");
      await page.getByRole("button", { name: "Delete the account" }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  { name: "not-found", who: "owner", open: (page) => goTo(page, "/no/such/page", "Nothing here") },
];

async function goTo(page: Page, path: string, title: string | RegExp): Promise<void> {
  await page.goto(path);
  await heading(page, title);
}

async function board(page: Page): Promise<void> {
  await goTo(page, "/", "Your addresses");
  await page.getByText("The tea shop").waitFor();
}
