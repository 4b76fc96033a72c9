import { goTo, type ShownPage } from "./shown-page.ts";

/** What an operator of the service sees beside the pages of everybody. */
export const operatorPages: readonly ShownPage[] = [
  {
    name: "operator-accounts",
    open: async (page) => {
      await goTo(page, "/operator", "Operator");
      await page.getByRole("table").waitFor();
    },
  },
  {
    name: "operator-disable",
    open: async (page) => {
      await goTo(page, "/operator", "Operator");
      await page
        .getByRole("button", { name: /^Disable / })
        .first()
        .click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "operator-queues",
    open: async (page) => {
      await goTo(page, "/operator/queues", "Operator");
      await page.getByText("No email is waiting.").or(page.getByRole("table")).waitFor();
    },
  },
  {
    name: "operator-events",
    open: async (page) => {
      await goTo(page, "/operator/events", "Operator");
      await page.getByText("Every event was processed.").waitFor();
    },
  },
  {
    name: "operator-domains",
    open: async (page) => {
      await goTo(page, "/operator/domains", "Operator");
      await page.getByText("No account has added a domain.").or(page.getByRole("table")).waitFor();
    },
  },
  {
    name: "operator-actions",
    open: async (page) => {
      await goTo(page, "/operator/actions", "Operator");
      await page.getByRole("table").waitFor();
    },
  },
];
