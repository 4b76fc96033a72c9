import type { IncomingMessage } from "node:http";
import { plainAddress } from "../services/platform/net/ip-address.ts";

/**
 * The address that a request came from: the connection's own, or, behind proxies of ours, the entry that the outermost of
 * them wrote. Entries further to the left are the client's own words, and count for nothing.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const connection = plainAddress(request.socket.remoteAddress ?? "");
  if (trustedHops === 0) return connection;
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((entry) => plainAddress(entry.trim()))
    .filter((entry) => entry !== "");
  return [...forwarded, connection].at(-1 - trustedHops) ?? forwarded[0] ?? connection;
}
