// Runs the one installation that the whole contract suite talks to, and its operator's side; see test/support/run/run-server.ts.
import { createWriteStream } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { mock } from "node:test";
import { authContract } from "../../../services/auth/contract.ts";
import { auth } from "../../../services/auth/module.ts";
import { asServiceError } from "../../../services/platform/errors.ts";
import { inProcessClient } from "../../../services/platform/rpc/client.ts";
import { createHost, type Host } from "../../../services/platform/runtime/host.ts";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import { keep } from "../../support/run/run-server.ts";
import type { ContractInstallation, OperatorCall } from "./installation.ts";

/** Tests sign in wrongly as often as they like from one address; the limit per account is as it always is. */
const environment = {
  TRUSTED_PROXY_HOPS: "1",
  LIMIT_SIGN_IN_PER_ADDRESS: "1000000",
  LIMIT_SIGN_IN_FLOOD_PER_MIN: "1000000",
  // Nobody listens there: every question fails at once.
  DNS_SERVERS: "127.0.0.1:1",
};

await keep(async (folder) => {
  const logPath = join(folder, "output.log");
  const log = createWriteStream(logPath);
  const installation = await startInstallation({
    environment,
    mode: "single",
    onLine: (line) => log.write(`${line}\n`),
  });
  const host = await authBeside(installation);
  const operatorServer = await startOperatorServer(host);
  const { port } = operatorServer.address() as AddressInfo;
  const { url, smtpPort, dataDir } = installation;
  const told: ContractInstallation = { url, smtpPort, dataDir, logPath, operatorUrl: `http://127.0.0.1:${port}` };
  return {
    address: JSON.stringify(told),
    async stop() {
      operatorServer.closeAllConnections();
      operatorServer.close();
      await host.stop();
      await installation.dispose();
      log.end();
    },
  };
});

/** auth on the installation's own stores, as the operator's command has it. */
async function authBeside({ dataDir, environment: { DATABASE_URL } }: Installation): Promise<Host> {
  const host = await createHost({
    services: [auth],
    environment: { DATABASE_URL, DATA_DIR: dataDir, LOG_LEVEL: "silent" },
    isQuiet: true,
  });
  await host.start();
  return host;
}

/** Takes calls of auth's procedures, one after the other, each at a time of its own if it names one. */
async function startOperatorServer(host: Host): Promise<Server> {
  const client: Record<string, (input: never) => Promise<unknown>> = inProcessClient(
    authContract,
    () => host.service("auth").serve,
  );
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const { procedure, input, atMs }: OperatorCall = JSON.parse(await text(request));
    const former = last;
    const call = former.then(() => at(atMs, () => client[procedure]?.(input as never)));
    last = call.catch(() => undefined);
    try {
      response.end(JSON.stringify(await call));
    } catch (error) {
      response.writeHead(500).end(asServiceError(error).message);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Runs something while this process takes another time for now. */
async function at<T>(timeMs: number | undefined, run: () => Promise<T> | undefined): Promise<T | undefined> {
  if (timeMs === undefined) return run();
  mock.timers.enable({ apis: ["Date"], now: timeMs });
  try {
    return await run();
  } finally {
    mock.timers.reset();
  }
}
