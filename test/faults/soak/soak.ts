import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { testMode } from "../../support/installation/installation.ts";
import { ServiceAddress } from "../../support/installation/service-address.ts";
import { ownKafka } from "../../support/peers/kafka.ts";
import { ownPostgres } from "../../support/peers/own-postgres.ts";
import { ownRedis } from "../../support/peers/redis.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, inFlightLimit, startFaultFixture } from "../fault-fixture.ts";
import { drawFrom, type FaultSites, faultsOf } from "./drawn-faults.ts";
import { type Bounds, exceeded, memoryMib, tableSizes } from "./resources.ts";

// Run by `npm run soak`; see test/soak.ts.

interface SoakOptions {
  minutes: number;
  periodMinutes: number;
  seed: number;
  bounds: Bounds;
}

const options = JSON.parse(process.env["SOAK"] ?? "") as SoakOptions;
const minuteMs = 60_000;
const longestFaultMs = 20_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

let sites: FaultSites;
let fixture: FaultFixture;

beforeAll(async () => {
  const isFleet = testMode === "fleet";
  const [postgres, kafka, redis, nextHop] = await Promise.all([
    ownPostgres(),
    isFleet ? ownKafka() : undefined,
    isFleet ? ownRedis() : undefined,
    ServiceAddress.open(0),
  ]);
  // A delivery must outlive every fault; how it ends when it is given up is shown elsewhere.
  const retries = Array.from({ length: 200 }, () => "2").join(",");
  fixture = await startFaultFixture({
    DATABASE_URL: postgres.url,
    ...(kafka ? { KAFKA_BROKERS: kafka.brokers } : {}),
    ...(redis ? { REDIS_URL: redis.url } : {}),
    OUTBOUND: `smtp://127.0.0.1:${nextHop.port}`,
    FORWARD_RETRY_S: retries,
    CALLBACK_RETRY_S: retries,
    LIMIT_CLIENT_PER_MIN: "1000000",
    LIMIT_BINDING_PER_MIN: "1000000",
    QUOTA_BINDINGS: "100000",
  });
  nextHop.leadTo(fixture.sink.port);
  sites = { fixture, postgres, kafka, redis, nextHop };
});
afterAll(async () => {
  await fixture?.stopLoads();
  await fixture?.dispose();
  await Promise.all([sites?.nextHop.close(), sites?.kafka?.dispose(), sites?.redis?.stop()]);
  await sites?.postgres.dispose();
});

/** One fault after the other under load. @returns how many processes were cut off in what they did. */
async function underFaults(draw: () => number, untilMs: number): Promise<number> {
  const faults = faultsOf(sites);
  const load = fixture.sendUntilStopped("soak", { restMs: 1_000 });
  let interrupted = 0;
  while (Date.now() < untilMs) {
    await load.acceptedMore(50);
    const fault = faults[Math.floor(draw() * faults.length)];
    if (!fault) throw new Error("there is no fault to draw");
    const durationMs = Math.round(draw() * longestFaultMs);
    say(`${new Date().toISOString()} ${fault.name}, ${(durationMs / 1_000).toFixed(1)} s`);
    await fault.run(durationMs);
    interrupted += fault.interrupted;
  }
  await load.acceptedMore(50);
  await load.stop();
  return interrupted;
}

/** Prints what the installation holds. @returns what is above its bound. */
async function accountFor(emails: number, databaseBytesBefore: number): Promise<string[]> {
  const { installation } = fixture;
  const memory = await memoryMib(installation.processes());
  const sizes = await tableSizes(sites.postgres.url);
  const kibPerEmail = (sizes.databaseBytes - databaseBytesBefore) / 1024 / emails;
  say(`memory in MiB: ${[...memory].map(([service, mib]) => `${service} ${mib}`).join(", ")}`);
  say(`${emails} emails in all, ${kibPerEmail.toFixed(1)} KiB each; ${sizes.largest}`);
  return exceeded(options.bounds, memory, sizes, kibPerEmail);
}

test(
  "mail under faults drawn at random: nothing lost, and what is held stays within its bounds",
  async () => {
    say(`seed ${options.seed}, ${options.minutes} minutes, ${testMode}`);
    const draw = drawFrom(options.seed);
    const endMs = Date.now() + options.minutes * minuteMs;
    const { databaseBytes } = await tableSizes(sites.postgres.url);
    let emails = 0;
    while (Date.now() < endMs) {
      const interrupted = await underFaults(draw, Math.min(endMs, Date.now() + options.periodMinutes * minuteMs));
      const repeated = interrupted * inFlightLimit;
      await expectNothingLost(fixture, { forwardedTwice: repeated, calledTwice: repeated });
      emails += fixture.loads.flatMap(({ accepted }) => accepted).flatMap(({ emailIds }) => emailIds).length;
      expect(await accountFor(emails, databaseBytes)).toEqual([]);
      fixture = await fixture.renewed();
      sites = { ...sites, fixture };
    }
  },
  (options.minutes + 30) * minuteMs,
);
