import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { closeClient } from "./connection.ts";
import { translateError } from "./errors.ts";
import type { Session, SharedDatabaseSession } from "./shared-session.ts";
import type { LockOptions } from "./types.ts";

/** The advisory lock's number for a name: 63 bits of its SHA-256, as text for a bigint parameter. */
export function lockNumber(key: string): string {
  return (createHash("sha256").update(key).digest().readBigUInt64BE() >> 1n).toString();
}

/** See Database.withLock. */
export function withAdvisoryLock<T>(
  sharedSession: SharedDatabaseSession,
  key: string,
  run: (signal: AbortSignal) => Promise<T>,
  { signal: stop, pollMs = 1_000 }: LockOptions = {},
): Promise<T | undefined> {
  return sharedSession.use(async (session) => {
    if (!(await acquire(session, key, pollMs, stop))) return undefined;
    try {
      const result = await run(stop ? AbortSignal.any([stop, session.lost]) : session.lost);
      // What was done after the lock was lost may have been done by two at once.
      session.lost.throwIfAborted();
      return result;
    } finally {
      await unlock(session, key);
    }
  });
}

async function acquire(session: Session, key: string, pollMs: number, stop?: AbortSignal): Promise<boolean> {
  while (!stop?.aborted) {
    if (await tryLock(session, key)) return true;
    await delay(pollMs, undefined, { signal: stop }).catch(() => undefined);
  }
  return false;
}

async function tryLock({ client, locks }: Session, key: string): Promise<boolean> {
  if (locks.has(key)) return false;
  locks.add(key);
  let isHeld = false;
  try {
    const { rows } = await client.query("select pg_try_advisory_lock($1::bigint) as held", [lockNumber(key)]);
    isHeld = rows[0].held;
    return isHeld;
  } catch (error) {
    // The server may have granted it all the same.
    await closeClient(client);
    throw translateError(error);
  } finally {
    if (!isHeld) locks.delete(key);
  }
}

/** Where the server does not say that the lock is free, the session ends, and the lock with it. */
async function unlock({ client, locks }: Session, key: string): Promise<void> {
  await client.query("select pg_advisory_unlock($1::bigint)", [lockNumber(key)]).catch(() => closeClient(client));
  locks.delete(key);
}
