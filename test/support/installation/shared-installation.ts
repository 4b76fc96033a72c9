import { createHash } from "node:crypto";
import { join } from "node:path";
import { restClient } from "../http/rest-client.ts";
import { capturedMail } from "../mail/captured-mail.ts";
import { runServer } from "../run/run-server.ts";
import { type Installation, testMode } from "./installation.ts";

/** One that others use at the same time: nobody stops it, and what is looked for in it is only one's own mail and bindings. */
export type SharedInstallation = Pick<
  Installation,
  "url" | "smtpPort" | "dataDir" | "environment" | "account" | "databaseUrl" | "rest" | "outbound"
>;

/** What an installation's keeper tells of it. */
export interface ToldInstallation extends Omit<SharedInstallation, "databaseUrl" | "rest" | "outbound"> {
  databaseUrl: string;
}

/** Of a fleet, with the Kafka and the PostgreSQL that its keeper starts. */
const startLimitMs = 200_000;

/**
 * An installation in the mode that this run is for: one for all test files, and workers, of this jest run that name the same
 * environment. Started by whoever asks first.
 */
export async function sharedInstallation(environment: Readonly<Record<string, string>>): Promise<SharedInstallation> {
  const argument = JSON.stringify(environment);
  const name = `installation-${testMode}-${createHash("sha256").update(argument).digest("hex").slice(0, 16)}`;
  const keeper = join(import.meta.dirname, "installation-process.ts");
  const told = JSON.parse(await runServer(name, keeper, startLimitMs, argument)) as ToldInstallation;
  return {
    ...told,
    databaseUrl: async () => told.databaseUrl,
    rest: () => restClient(told.url, told.account),
    outbound: () => capturedMail(join(told.dataDir, "outbound")),
  };
}
