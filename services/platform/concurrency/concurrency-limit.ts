import type { Redis } from "ioredis";

/** How many may be under way at once for a key. Who does not renew a place within its lease has lost it, as a process that died does. */
export interface ConcurrencyLimit {
  /** Takes a place, or renews the one that the same holder has. @returns false where all are taken */
  enter(key: string, holder: string): Promise<boolean>;
  leave(key: string, holder: string): Promise<void>;
}

export interface ConcurrencyOptions {
  /** Part of the counter's key: one name, one counter, shared by all replicas. */
  name: string;
  places: number;
  leaseMs: number;
}

/** A sorted set of holders, each with when its lease ends by the clock of Redis. */
const enterScript = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** Counted in Redis, where there is one and it answers; in the process besides, for while it does not. */
export function concurrencyLimit(
  redis: Redis | undefined,
  localSlots: LocalSlots,
  { name, places, leaseMs }: ConcurrencyOptions,
): ConcurrencyLimit {
  const keyOf = (key: string) => `postern:${name}:${key}`;
  return {
    enter: async (key, holder) => {
      const isFree = localSlots.enter(keyOf(key), holder, { places, leaseMs });
      if (!redis) return isFree;
      const answer = await redis.eval(enterScript, 1, keyOf(key), holder, places, leaseMs).catch(() => undefined);
      return answer === undefined ? isFree : answer === 1;
    },
    leave: async (key, holder) => {
      localSlots.leave(keyOf(key), holder);
      // While Redis is gone nobody is counted there, and leases end by themselves.
      await redis?.zrem(keyOf(key), holder).catch(() => undefined);
    },
  };
}

/** Places of all limits of this process. */
export class LocalSlots {
  readonly #leases = new Map<string, Map<string, number>>();

  enter(key: string, holder: string, { places, leaseMs }: Pick<ConcurrencyOptions, "places" | "leaseMs">): boolean {
    const now = performance.now();
    const leases = this.#leases.get(key) ?? new Map<string, number>();
    for (const [each, end] of leases) if (end <= now) leases.delete(each);
    if (!leases.has(holder) && leases.size >= places) return false;
    this.#leases.set(key, leases.set(holder, now + leaseMs));
    return true;
  }

  leave(key: string, holder: string): void {
    const leases = this.#leases.get(key);
    leases?.delete(holder);
    if (leases?.size === 0) this.#leases.delete(key);
  }
}
