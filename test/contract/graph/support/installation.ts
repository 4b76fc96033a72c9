import { join } from "node:path";
import { testMode } from "../../../support/installation.ts";
import { runServer } from "../../../support/run-server.ts";

/** The one installation of the graph's tests, as its keeper tells of it. */
export interface GraphInstallation {
  url: string;
  smtpPort: number;
  dataDir: string;
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
