import { parseArgs } from "node:util";
import { authContract } from "./auth/contract.ts";
import { firstAccount, noteUntold, requirePublicPorts, welcome } from "./first-start.ts";
import { loadConfig, processEnvironment } from "./platform/config.ts";
import { ConfigurationError, exitConfiguration, messageOf, Outage } from "./platform/errors.ts";
import { inProcessClient } from "./platform/rpc/client.ts";
import { collectAfterStart, collectBuffersEarly, letHeapGrow } from "./platform/runtime/garbage-collection.ts";
import { createHost, type Host, loadHostConfig } from "./platform/runtime/host.ts";
import { telemetryConfig } from "./platform/telemetry/config.ts";
import { startTelemetry, stopTelemetry } from "./platform/telemetry/start.ts";
import { loadTargets } from "./targets.ts";

/** sysexits.h EX_USAGE. */
const exitUsage = 64;

/** How much longer than STOP_TIMEOUT_S a stop may take before the process is ended as it is. */
const stopGraceMs = 10_000;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: "string", default: "all" } } });
  collectBuffersEarly();
  letHeapGrow();
  const environment = processEnvironment();
  const { name, services, isPart } = await loadTargets(values.target, environment);
  if (!isPart) await requirePublicPorts(loadHostConfig(services, environment));
  const account = isPart ? undefined : await firstAccount(environment);
  const host = await createHost({ services, isPart, environment: { ...environment, ...account } });
  if (account) await noteUntold(host.settings.DATA_DIR);
  const { logger, metrics } = host;
  await startTelemetry({ config: loadConfig(telemetryConfig, environment), service: name, logger, metrics });
  const stop = stopper(host);
  process.on("SIGTERM", () => void stop(0, "SIGTERM"));
  process.on("SIGINT", () => void stop(0, "SIGINT"));
  process.on("uncaughtException", (error) => {
    host.logger.fatal({ err: error }, "uncaught exception");
    void stop(1, "uncaught exception");
  });
  await host.start();
  collectAfterStart();
  host.logger.info({ target: values.target }, "ready");
  if (isPart) return;
  const auth = inProcessClient(authContract, () => host.service("auth").serve);
  await welcome(host, account && { account, auth });
}

/** Stops once, however many reasons there are; a stop that hangs is ended after its time. */
function stopper(host: Host): (exitCode: number, reason: string) => Promise<void> {
  let isStopping = false;
  return async (exitCode, reason) => {
    if (isStopping) return;
    isStopping = true;
    host.logger.info({ reason }, "stopping");
    setTimeout(() => process.exit(1), host.settings.STOP_TIMEOUT_S * 1000 + stopGraceMs).unref();
    await host.stop();
    await stopTelemetry();
    host.logger.info("stopped");
    process.exit(exitCode);
  };
}

/** Of what its operator can mend, what is wrong; of a bug also where. */
function complaintAbout(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Outage) return `Cannot start: ${error.operatorMessage}`;
  return (error as Error).stack ?? messageOf(error);
}

main().catch((error: unknown) => {
  const isUsage = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${isUsage ? messageOf(error) : complaintAbout(error)}\n`);
  process.exit(isUsage ? exitUsage : error instanceof ConfigurationError ? exitConfiguration : 1);
});
