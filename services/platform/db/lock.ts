import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { Outage } from "../errors.ts";
import { type ConnectionSettings, closeClient, keepAlive, newClient } from "./connection.ts";
import { translateError } from "./errors.ts";
import type { LockOptions } from "./types.ts";

/** How often a held lock's connection is asked whether it still lives. */
const heartbeatMs = 5_000;

/** The advisory lock's number for a name: 63 bits of its SHA-256, as text for a bigint parameter. */
export function lockNumber(key: string): string {
  return (createHash("sha256").update(key).digest().readBigUInt64BE() >> 1n).toString();
}

/** See Database.withLock. */
export async function withAdvisoryLock<T>(
  settings: ConnectionSettings,
  key: string,
  run: (signal: AbortSignal) => Promise<T>,
  { signal: stop, pollMs = 1_000 }: LockOptions = {},
): Promise<T | undefined> {
  const client = newClient({ ...settings, statementTimeoutMs: heartbeatMs });
  const lost = new AbortController();
  const lose = (cause?: unknown) => lost.abort(new Outage("database", { cause, operator: `the lock ${key} was lost` }));
  client.on("error", lose);
  client.on("end", lose);
  try {
    if (!(await acquire(client, key, pollMs, stop))) return undefined;
    const endHeartbeat = keepAlive(client, heartbeatMs);
    const signal = stop ? AbortSignal.any([stop, lost.signal]) : lost.signal;
    const result = await run(signal).finally(endHeartbeat);
    // What was done after the lock was lost may have been done by two at once.
    lost.signal.throwIfAborted();
    return result;
  } finally {
    client.off("end", lose);
    await closeClient(client);
  }
}

async function acquire(client: pg.Client, key: string, pollMs: number, stop?: AbortSignal): Promise<boolean> {
  try {
    await client.connect();
    while (!stop?.aborted) {
      const { rows } = await client.query("select pg_try_advisory_lock($1::bigint) as held", [lockNumber(key)]);
      if (rows[0].held) return true;
      await delay(pollMs, undefined, { signal: stop }).catch(() => undefined);
    }
    return false;
  } catch (error) {
    throw translateError(error);
  }
}
