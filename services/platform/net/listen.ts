import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { ConfigurationError } from "../errors.ts";

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
    const reason = reasons[String((error as NodeJS.ErrnoException).code)];
    throw reason ? new ConfigurationError([`${variable}: ${port} cannot be had: ${reason}`]) : error;
  }
  return (server.address() as AddressInfo).port;
}
