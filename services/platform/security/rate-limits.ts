import { once } from "node:events";
import type { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import {
  type ConcurrencyLimit,
  type ConcurrencyOptions,
  concurrencyLimit,
  LocalSlots,
} from "../concurrency/concurrency-limit.ts";
import { OutageLog } from "../concurrency/outage-log.ts";
import { Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";

const connectTimeoutMs = 2_000;
/** How long Redis may be silent at the start before the log tells of it. */
const quietMs = 5_000;

interface LimitOptions {
  /** Part of the counter's key: one name, one counter, shared by all replicas. */
  name: string;
  /** How many are allowed within the window. */
  points: number;
  windowS: number;
}

interface LimitResult {
  isAllowed: boolean;
  /** Seconds until there is room again; 0 when allowed. */
  retryAfterS: number;
}

/** A counter in a window. */
export interface Limit {
  consume(key: string, points?: number): Promise<LimitResult>;
  /** Whether there is room for one more, without taking it: for limits that count failures alone. */
  check(key: string): Promise<LimitResult>;
  /** Gives a key all its room back. */
  reset(key: string): Promise<void>;
}

export interface Limits {
  limit(options: LimitOptions): Limit;
  concurrent(options: ConcurrencyOptions): ConcurrencyLimit;
  /** @throws Outage unless Redis answers within 2 s; in the process there is nothing to ask. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Counters in Redis, shared by all replicas, or in the process when there is no URL. While Redis is unavailable each
 * process counts for itself: a limit is a guard, and no reason to refuse mail or a sign-in.
 */
export async function createLimits(redisUrl: string | undefined, logger: Logger): Promise<Limits> {
  const redis = redisUrl ? await connect(redisUrl, logger) : undefined;
  const localSlots = new LocalSlots();
  return {
    limit: (options) => {
      const settings = { keyPrefix: `postern:${options.name}`, points: options.points, duration: options.windowS };
      const inProcess = new RateLimiterMemory(settings);
      const limiter = redis
        ? new RateLimiterRedis({
            ...settings,
            storeClient: redis,
            insuranceLimiter: inProcess,
            rejectIfRedisNotReady: true,
          })
        : inProcess;
      return {
        consume: (key, points = 1) => consume(limiter, key, points),
        check: (key) => check(limiter, key),
        reset: async (key) => void (await limiter.delete(key)),
      };
    },
    concurrent: (options) => concurrencyLimit(redis, localSlots, options),
    ping: async () => redis && ping(redis),
    close: async () => redis?.disconnect(),
  };
}

async function consume(limiter: RateLimiterAbstract, key: string, points: number): Promise<LimitResult> {
  try {
    await limiter.consume(key, points);
    return { isAllowed: true, retryAfterS: 0 };
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return refusal(refused);
  }
}

async function check(limiter: RateLimiterAbstract, key: string): Promise<LimitResult> {
  const taken = await limiter.get(key);
  return taken && taken.consumedPoints >= limiter.points ? refusal(taken) : { isAllowed: true, retryAfterS: 0 };
}

function refusal({ msBeforeNext }: RateLimiterRes): LimitResult {
  return { isAllowed: false, retryAfterS: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}

/** Without the error's own members: of a refused sign-in they have the command, with the password. */
function redisOutage(url: string, { message }: Error): Outage {
  return new Outage("Redis", { operator: `REDIS_URL: ${new URL(url).host}: ${message}` });
}

async function ping(redis: Redis): Promise<void> {
  try {
    if (redis.status !== "ready") await once(redis, "ready", { signal: AbortSignal.timeout(connectTimeoutMs) });
    await redis.ping();
  } catch (error) {
    throw new Outage("Redis", { cause: error });
  }
}

async function connect(url: string, logger: Logger): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: connectTimeoutMs,
    retryStrategy: (times) => Math.min(200 * times, 5_000),
  });
  const outage = new OutageLog({
    logger,
    lost: "Redis unavailable, using per-process rate limits",
    back: "Redis reachable again, using shared rate limits",
  });
  const tell = (error: Error) => outage.met(redisOutage(url, error));
  redis.on("error", tell);
  // What takes connections and is no Redis, or one that hangs, gives no error.
  const quiet = setTimeout(() => tell(new Error("no answer")), quietMs).unref();
  redis.on("end", () => clearTimeout(quiet));
  redis.on("ready", () => {
    clearTimeout(quiet);
    outage.over();
  });
  return redis;
}
