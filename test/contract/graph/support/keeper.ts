// Runs the one installation that the graph's tests talk to, in the mode that this run is for; see test/support/run-server.ts.
import { startInstallation } from "../../../support/installation.ts";
import { keep } from "../../../support/run-server.ts";
import type { GraphInstallation } from "./installation.ts";

/** Tests sign up and in from one address as often as they like; callbacks may go to servers of the tests. */
const settings = {
  TRUSTED_PROXY_HOPS: "1",
  LIMIT_SIGN_IN_PER_ADDRESS: "1000000",
  LIMIT_SIGN_IN_FLOOD_PER_MIN: "1000000",
  LIMIT_SIGN_UP_PER_ADDRESS: "1000000",
  CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
  CALLBACK_RETRY_S: "3600",
};

await keep(async () => {
  const installation = await startInstallation({ environment: settings });
  const { url, smtpPort, dataDir, environment } = installation;
  const databaseUrl = await installation.databaseUrl();
  const told: GraphInstallation = { url, smtpPort, dataDir, environment, databaseUrl };
  return { address: JSON.stringify(told), stop: () => installation.dispose() };
});
