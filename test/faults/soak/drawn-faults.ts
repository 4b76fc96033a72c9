import { setTimeout as delay } from "node:timers/promises";
import type { ServiceAddress } from "../../support/installation/service-address.ts";
import { ScriptedServer } from "../../support/mail/scripted-server.ts";
import { SinkRefusal, SmtpSink } from "../../support/mail/smtp-sink.ts";
import type { ownKafka } from "../../support/peers/kafka.ts";
import type { OwnPostgres } from "../../support/peers/own-postgres.ts";
import type { ownRedis } from "../../support/peers/redis.ts";
import type { FaultFixture } from "../fault-fixture.ts";

/** What faults are raised in; Kafka and Redis are a fleet's. */
export interface FaultSites {
  readonly fixture: FaultFixture;
  readonly postgres: OwnPostgres;
  readonly kafka: Awaited<ReturnType<typeof ownKafka>> | undefined;
  readonly redis: Awaited<ReturnType<typeof ownRedis>> | undefined;
  /** The next hop as the forwarder knows it. */
  readonly nextHop: ServiceAddress;
}

interface Fault {
  readonly name: string;
  /** How many processes may be cut off in what they do. */
  readonly interrupted: number;
  /** Raises it for so long, and mends it. */
  run(durationMs: number): Promise<void>;
}

/** A number from 0 up to 1, the same ones for the same seed (mulberry32). */
export function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function faultsOf(sites: FaultSites): Fault[] {
  return [...processFaults(sites), ...storeFaults(sites), ...nextHopFaults(sites)];
}

function processFaults({ fixture: { installation } }: FaultSites): Fault[] {
  const kills = installation.processes().map((process): Fault => {
    const run = async (durationMs: number) => {
      await process.kill();
      await delay(durationMs);
      await installation.revive();
    };
    return { name: `${process.options.target} killed`, interrupted: 1, run };
  });
  const restart = async () => {
    for (const process of installation.processes()) {
      await process.stop();
      process.start();
      await process.ready();
    }
  };
  return [...kills, { name: "each process restarted", interrupted: 0, run: restart }];
}

function storeFaults({ fixture, postgres, kafka, redis }: FaultSites): Fault[] {
  const all = fixture.installation.processes().length;
  const stores = [
    { name: "PostgreSQL crashed", end: () => postgres.crash(), start: () => postgres.start() },
    ...(kafka ? [{ name: "Kafka killed", end: () => kafka.kill(), start: () => kafka.start() }] : []),
    ...(redis ? [{ name: "Redis stopped", end: () => redis.stop(), start: () => redis.start() }] : []),
  ];
  return stores.map(({ name, end, start }) => ({
    name,
    interrupted: all,
    run: async (durationMs) => {
      await end();
      await delay(durationMs);
      await start();
    },
  }));
}

/** Instead of the next hop there is, for a while, another server, or none. */
function nextHopFaults({ fixture: { sink }, nextHop }: FaultSites): Fault[] {
  const refusal = () => {
    throw new SinkRefusal(451, "4.3.2 later");
  };
  const instead: [name: string, start: () => Promise<{ port: number; stop(): Promise<void> }>][] = [
    ["next hop refuses", () => SmtpSink.start({ atRecipient: refusal })],
    ["next hop says nothing", () => ScriptedServer.start(() => undefined)],
    ["next hop hangs up", () => ScriptedServer.start((_line, socket) => void socket.destroy())],
  ];
  return instead.map(([name, start]) => ({
    name,
    interrupted: 1,
    run: async (durationMs) => {
      const other = await start();
      nextHop.leadTo(other.port);
      await delay(durationMs);
      nextHop.leadTo(sink.port);
      await other.stop();
    },
  }));
}
