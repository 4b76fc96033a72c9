import { join } from "node:path";
import { type Installation, testMode } from "../../../support/installation.ts";
import { runServer } from "../../../support/run-server.ts";

/** The one installation of the graph's tests, as its keeper tells of it. */
export interface GraphInstallation extends Pick<Installation, "url" | "smtpPort" | "dataDir" | "environment"> {
  /** Of a superuser of its PostgreSQL. */
  databaseUrl: string;
}

const startLimitMs = 180_000;

let installation: Promise<GraphInstallation> | undefined;

/** Started by whoever asks first, and shared by all workers of this jest run. */
export function graphInstallation(): Promise<GraphInstallation> {
  installation ??= runServer(`graph-${testMode}`, join(import.meta.dirname, "keeper.ts"), startLimitMs).then(
    (told) => JSON.parse(told) as GraphInstallation,
  );
  return installation;
}
