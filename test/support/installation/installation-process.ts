// Runs an installation that test files share; see shared-installation.ts.

import { keep } from "../run/run-server.ts";
import { startInstallation } from "./installation.ts";
import type { ToldInstallation } from "./shared-installation.ts";

await keep(async (_folder, argument) => {
  const installation = await startInstallation({ environment: JSON.parse(argument) as Record<string, string> });
  const { url, smtpPort, dataDir, environment, account } = installation;
  const databaseUrl = await installation.databaseUrl();
  const told: ToldInstallation = { url, smtpPort, dataDir, environment, account, databaseUrl };
  return { address: JSON.stringify(told), stop: () => installation.dispose() };
});
