import { type Environment, loadConfig } from "../../../services/platform/config.ts";
import type { Database } from "../../../services/platform/db/types.ts";
import { inProcessClient } from "../../../services/platform/rpc/client.ts";
import type { Client, Contract } from "../../../services/platform/rpc/contract.ts";
import { serveContract } from "../../../services/platform/rpc/serve-contract.ts";
import { completeSettings, settingsConfig } from "../../../services/platform/runtime/settings.ts";
import { createLimits } from "../../../services/platform/security/rate-limits.ts";
import { Secrets } from "../../../services/platform/security/secrets.ts";
import type { BuildContext, RunningParts, ServiceDefinition } from "../../../services/platform/service.ts";
import { createMetrics } from "../../../services/platform/telemetry/metrics.ts";
import { silentLogger } from "../peers/database.ts";

export interface ServiceUnderTest<C extends Contract> {
  /** The service as its callers reach it: encoded and decoded as over the wire. */
  client: Client<C>;
  parts: RunningParts;
  stop(): Promise<void>;
}

interface TestContext {
  db: Database;
  environment?: Environment;
  secrets?: Secrets;
  /** What else of the context the service uses: peers, streams, blobs, a logger that is looked at. */
  context?: Partial<BuildContext>;
}

/** A service by itself: its own database and code, counters in memory, and whatever peers it is given. */
export async function startService<C extends Contract>(
  definition: ServiceDefinition & { contract: Contract },
  contract: C,
  { db, environment = {}, secrets = new Secrets("a secret key of the tests"), context = {} }: TestContext,
): Promise<ServiceUnderTest<C>> {
  const logger = context.logger ?? silentLogger;
  const limits = await createLimits(undefined, logger);
  const parts = await definition.build({
    name: definition.name,
    config: loadConfig(definition.config, environment, definition.configChecks),
    settings: completeSettings(loadConfig(settingsConfig, environment)),
    isPart: true,
    secrets,
    limits,
    logger,
    metrics: createMetrics(),
    rpc: {},
    streams: {},
    upstream: {},
    subgraphs: {},
    db,
    ...context,
  });
  await parts.start?.();
  const serve = serveContract(contract, parts.procedures ?? {}, logger);
  return {
    client: inProcessClient(contract, () => serve),
    parts,
    stop: async () => {
      await parts.stop?.();
      await limits.close();
    },
  };
}
