import type { AwaitedEmail } from "./email.ts";
import type { EmailQuery } from "./emails.ts";

/** What of Cypress is used here. */
interface CypressGlobals {
  Cypress: { Commands: { add(name: string, command: (...given: never[]) => unknown): void } };
  cy: { task<T>(name: string, argument: unknown, options?: { timeout: number }): T };
}

/** A task may take longer than the wait that it makes. */
const marginMs = 20_000;

const cypress = globalThis as unknown as CypressGlobals;

// Imported by Cypress's support file: `cy.posternInbox()` gives the address of an inbox of its own, and
// `cy.posternEmail({ address, subject?, from?, timeoutMs? })` the next email there.
cypress.Cypress.Commands.add("posternInbox", () => cypress.cy.task<string>("posternInbox", null));
cypress.Cypress.Commands.add("posternEmail", (wanted: EmailQuery & { timeoutMs?: number }) => {
  const timeout = (wanted.timeoutMs ?? 60_000) + marginMs;
  return cypress.cy.task<AwaitedEmail>("posternEmail", wanted, { timeout });
});
