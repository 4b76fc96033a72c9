import type { Page } from "playwright-core";
import type { SharedInstallation } from "../../../support/installation/shared-installation.ts";
import { makeOperator, type Person } from "../people.ts";
import { signIn, signUp } from "../visitor.ts";
import { operatorPages } from "./operator-pages.ts";
import { strangersPages } from "./public-link-pages.ts";
import { ownersPages } from "./signed-in-pages.ts";
import { newcomersPages } from "./signed-out-pages.ts";

/** Somebody's pages, and how to become that person. */
interface Viewer {
  readonly pages: typeof strangersPages;
  enter(page: Page, installation: SharedInstallation, newcomer: Person): Promise<void>;
}

/** Every page, and every dialog and panel that opens on one, by who sees it. */
export const viewers = {
  stranger: { pages: strangersPages, enter: async () => undefined },
  newcomer: { pages: newcomersPages, enter: (page, installation, newcomer) => signUp(page, newcomer, installation) },
  owner: { pages: ownersPages, enter: (page, { account }) => signIn(page, account) },
  operator: {
    pages: operatorPages,
    enter: async (page, installation, newcomer) => {
      await signUp(page, newcomer, installation);
      await makeOperator(installation, newcomer.username);
      await page.reload();
    },
  },
} satisfies Record<string, Viewer>;
