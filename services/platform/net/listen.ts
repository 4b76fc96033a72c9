import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { ConfigurationError, errorCode } from "../errors.ts";

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is in use",
  EACCES: "the system does not let this user listen there",
};

/**
 * Has a server listen at the port that a variable gives.
 * @returns the port; with 0, the one that the system chose @throws ConfigurationError where the port cannot be had
 */
export async function listen(server: Server, variable: string, port: number): Promise<number> {
  server.listen({ port });
  try {
    await once(server, "listening");
  } catch (error) {
    const reason = reasons[errorCode(error)];
    throw reason ? new ConfigurationError([`${variable}: ${port} cannot be had: ${reason}`]) : error;
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Says of ports whether they can be had, before what is to listen there is started. @param ports by the variable that gives each
 * @throws ConfigurationError naming all that cannot
 */
export async function requirePorts(ports: Readonly<Record<string, number>>): Promise<void> {
  const servers: Server[] = [];
  const faults: string[] = [];
  for (const [variable, port] of Object.entries(ports)) {
    const server = createServer();
    try {
      await listen(server, variable, port);
      servers.push(server);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      faults.push(...error.faults);
    }
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  if (faults.length > 0) throw new ConfigurationError(faults);
}
