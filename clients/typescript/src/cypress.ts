import type { AwaitedEmail } from "./email.ts";
import type { EmailQuery } from "./emails.ts";
import { Postern } from "./postern.ts";

/** What a page's test asks of the process that runs Cypress. Cypress passes JSON, and no undefined. */
export interface PosternTasks {
  /** The address of an inbox of its own. */
  posternInbox(of: null): Promise<string>;
  /** The next email there. */
  posternEmail(wanted: EmailQuery & { timeoutMs?: number }): Promise<AwaitedEmail>;
}

/** What `setupNodeEvents` of cypress.config is given. */
interface Events {
  (name: "task", tasks: PosternTasks): void;
  (name: "after:run", handler: () => Promise<void>): void;
}

interface Configuration {
  env?: Readonly<Record<string, unknown>>;
}

/**
 * Registers the tasks behind `cy.posternInbox()` and `cy.posternEmail()`: `setupNodeEvents: (on, config) => posternTasks(on, config)`.
 * POSTERN_URL, POSTERN_KEY and, if it is to use an address that is there, POSTERN_ADDRESS come from the environment, or from
 * Cypress's `env`. An address that is made is removed after the run.
 */
export function posternTasks(on: Events, { env = {} }: Configuration = {}): void {
  const setting = (name: string) => process.env[name] ?? (typeof env[name] === "string" ? env[name] : undefined);
  const names = ["POSTERN_URL", "POSTERN_KEY", "POSTERN_ADDRESS"];
  const settings = Object.fromEntries(names.map((name) => [name, setting(name)]));
  let client: Postern | undefined;
  const postern = () => {
    client ??= Postern.fromEnvironment(settings);
    return client;
  };
  let made: Promise<{ id: string; address: string }> | undefined;
  const address = async () => {
    if (settings["POSTERN_ADDRESS"]) return settings["POSTERN_ADDRESS"];
    made ??= postern().addresses.create({ description: "Made by tests" });
    return (await made).address;
  };
  on("task", {
    posternInbox: async () => postern().inbox(await address()).address,
    posternEmail: ({ timeoutMs, ...query }) => postern().emails.next(query, { timeoutMs }),
  });
  on("after:run", async () => {
    if (made) await postern().addresses.remove((await made).id);
  });
}
