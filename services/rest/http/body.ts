import type { Request } from "express";
import { readBody } from "../../platform/http/read-body.ts";
import { networkOf } from "../../platform/net/ip-address.ts";
import { BytesInFlight } from "./bytes-in-flight.ts";
import { type Endpoint, standardBodyLimitBytes } from "./endpoint.ts";
import { parseJson } from "./json.ts";
import { validate } from "./validate.ts";

const mebibyte = 1024 * 1024;

/**
 * Bodies of callers whose credentials are not known to be good, while they are read, parsed and acted on. A network has four of the
 * longest, and parsing all that there can be takes seconds at worst.
 */
const ofStrangers = new BytesInFlight({ totalBytes: 16 * mebibyte, perKeyBytes: 4 * mebibyte });

/** So much of each body does not count: who floods us with long ones keeps nobody from signing in. */
const uncountedBytes = 64 * 1024;

/** Runs `task` with the body that an endpoint takes: undefined where it takes none. @throws Refusal as readBody, parseJson and validate; RateLimited; Outage */
export async function withBody<T>(
  { body: schema, bodyLimitBytes = standardBodyLimitBytes, isBodyOptional = false, credentials }: Endpoint,
  request: Request,
  clientAddress: string,
  task: (body: unknown) => Promise<T>,
): Promise<T> {
  if (!schema) return task(undefined);
  const run = async (count?: (bytes: number) => void) => {
    const bytes = await readBody(request, bodyLimitBytes, count);
    return task(validate(schema, isBodyOptional && bytes.length === 0 ? {} : parseJson(bytes)));
  };
  // A bearer token that is handed on has not been looked at yet.
  if (credentials === "token or bearer") return run();
  return ofStrangers.run([networkOf(clientAddress)], (count) => run(beyond(uncountedBytes, count)));
}

function beyond(freeBytes: number, count: (bytes: number) => void): (bytes: number) => void {
  let seenBytes = 0;
  return (bytes) => {
    seenBytes += bytes;
    const counted = Math.min(bytes, seenBytes - freeBytes);
    if (counted > 0) count(counted);
  };
}
