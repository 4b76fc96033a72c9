import type { Request } from "express";
import { Refusal } from "../../platform/errors.ts";
import { readBody } from "../../platform/http/read-body.ts";
import { networkOf } from "../../platform/net/ip-address.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import { BytesInFlight } from "./bytes-in-flight.ts";
import { type Endpoint, standardBodyLimitBytes } from "./endpoint.ts";
import { parseJson } from "./json.ts";
import { validate } from "./validate.ts";

const mebibyte = 1024 * 1024;

/** Bodies of callers whose credentials are not known to be good, while they are read, parsed and acted on. A network has four of the longest. */
const ofStrangers = new BytesInFlight({ totalBytes: 16 * mebibyte, perKeyBytes: 4 * mebibyte });

/** So much of each body does not count: who floods us with long ones keeps nobody from signing in. */
const uncountedBytes = 64 * 1024;

/** Longer ones that are parsed for a network: JSON of 1 MiB can be such that it takes 0.2 s, and a kilobyte of gzip holds it. */
export const longBodies = { points: 20, windowS: 60 };

/** Runs `task` with the body that an endpoint takes: undefined where it takes none. @throws Refusal as readBody, parseJson and validate; RateLimited; Outage */
export async function withBody<T>(
  { body: schema, bodyLimitBytes = standardBodyLimitBytes, isBodyOptional = false, credentials }: Endpoint,
  request: Request,
  { clientAddress, longBodyLimit }: { clientAddress: string; longBodyLimit: Limit },
  task: (body: unknown) => Promise<T>,
): Promise<T> {
  if (!schema) return task(undefined);
  const network = networkOf(clientAddress);
  const run = async (count?: (bytes: number) => void) => {
    const bytes = await readBody(request, bodyLimitBytes, count);
    if (count && bytes.length > uncountedBytes) await refuseMany(longBodyLimit, network);
    return task(validate(schema, isBodyOptional && bytes.length === 0 ? {} : parseJson(bytes)));
  };
  // A bearer token that is handed on has not been looked at yet.
  if (credentials === "token or bearer") return run();
  return ofStrangers.run([network], (count) => run(beyond(uncountedBytes, count)));
}

async function refuseMany(limit: Limit, network: string): Promise<void> {
  const { isAllowed, retryAfterS } = await limit.consume(network);
  if (isAllowed) return;
  throw new Refusal("RateLimited", { public: "Too many long requests came from your network.", retryAfterS });
}

function beyond(freeBytes: number, count: (bytes: number) => void): (bytes: number) => void {
  let seenBytes = 0;
  return (bytes) => {
    seenBytes += bytes;
    const counted = Math.min(bytes, seenBytes - freeBytes);
    if (counted > 0) count(counted);
  };
}
