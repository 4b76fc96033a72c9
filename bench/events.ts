/**
 * Small events through an outbox to three groups: how many a second, and how long from commit to handler.
 * node bench/events.ts postgres://… [events]; KAFKA_BROKERS as everywhere. The schemas bench_source and bench_<n> are created again.
 */
import { readFile } from "node:fs/promises";
import { create } from "@bufbuild/protobuf";
import { topics } from "../proto/topics.ts";
import { loadConfig, processEnvironment } from "../services/platform/config.ts";
import { openDatabase } from "../services/platform/db/database.ts";
import type { Database as Db } from "../services/platform/db/types.ts";
import { createEventBus } from "../services/platform/events/bus.ts";
import { eventsConfig } from "../services/platform/events/config.ts";
import { consumer } from "../services/platform/events/consumer.ts";
import { event, publish } from "../services/platform/events/outbox/outbox.ts";
import { newId } from "../services/platform/ids.ts";
import { createLogger } from "../services/platform/telemetry/logger.ts";
import { createMetrics } from "../services/platform/telemetry/metrics.ts";

const [url, count = "50000"] = process.argv.slice(2);
if (!url) throw new Error("usage: node bench/events.ts postgres://… [events]");
const total = Number(count);
const logger = createLogger({ LOG_LEVEL: "warn", LOG_FORMAT: "text" });
const metrics = createMetrics();
const migration = await readFile(new URL("../services/platform/migrations/0001_events.sql", import.meta.url), "utf8");

async function open(schema: string): Promise<Db> {
  const admin = openDatabase({ url: String(url), schema: "public", logger });
  await admin.query(`drop schema if exists ${schema} cascade`);
  await admin.query(`create schema ${schema}`);
  await admin.close();
  const db = openDatabase({ url: String(url), schema, logger });
  for (const statement of migration.split(";\n").filter((part) => part.trim())) await db.query(statement);
  return db;
}

const bus = await createEventBus(
  loadConfig(eventsConfig, { ...processEnvironment(), KAFKA_TOPIC_PREFIX: `bench-${Date.now()}-` }),
  logger,
);
const source = await open("bench_source");
const seen = [0, 0, 0];
const latenciesMs: number[] = [];
const sinks = await Promise.all(seen.map((_, index) => open(`bench_${index}`)));
const flows = [bus.addService({ name: "source", db: source, consumers: [], logger, metrics })];
for (const [index, db] of sinks.entries()) {
  await db.query("create table effect (id text, at timestamptz)");
  const reading = consumer(topics.mailReleased, async (tx, events) => {
    await tx.query("insert into effect select id, now() from unnest($1::text[]) as id", [
      events.map(({ message }) => message.emailId),
    ]);
    const now = Date.now();
    for (const { occurredAt } of events) latenciesMs.push(now - occurredAt.getTime());
    seen[index] = (seen[index] ?? 0) + events.length;
  });
  flows.push(bus.addService({ name: `sink${index}`, db, consumers: [reading], logger, metrics }));
}
await bus.start();
await Promise.all(flows.map((flow) => flow.start()));
for (;;) {
  const isReady = await Promise.all(flows.map((flow) => flow.ready())).then(
    () => true,
    () => false,
  );
  if (isReady) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}

const released = () =>
  event(topics.mailReleased, create(topics.mailReleased.schema, { emailId: newId(), rawId: newId() }));
const all = (wanted: number) => waitUntil(() => seen.every((value) => value >= wanted));
async function waitUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 2));
}
function report(what: string): void {
  const sorted = latenciesMs.splice(0).sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  process.stdout.write(`${what}: to handler p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
}

// One at a time: the latency of an idle system.
let done = 0;
for (; done < 200; done++) {
  await source.tx((tx) => publish(tx, released()));
  await all(done + 1);
}
report("one at a time");

// From 20 connections, a transaction per event.
let startedAt = performance.now();
let begun = done;
const single = Math.min(total, 20_000);
await Promise.all(
  Array.from({ length: 10 }, async () => {
    while (begun < done + single) {
      begun += 1;
      await source.tx((tx) => publish(tx, released()));
    }
  }),
);
const publishedAfterMs = performance.now() - startedAt;
await all(begun);
process.stdout.write(
  `a transaction each: ${Math.round((single * 1000) / publishedAfterMs)} published, ${Math.round((single * 1000) / (performance.now() - startedAt))} handled a second\n`,
);
report("a transaction each");
done = begun;

// Twenty events a transaction.
startedAt = performance.now();
await Promise.all(
  Array.from({ length: 4 }, async () => {
    while (begun < done + total) {
      begun += 20;
      await source.tx((tx) => publish(tx, Array.from({ length: 20 }, released)));
    }
  }),
);
const publishedMs = performance.now() - startedAt;
await all(begun);
process.stdout.write(
  `twenty a transaction: ${Math.round((total * 1000) / publishedMs)} published, ${Math.round((total * 1000) / (performance.now() - startedAt))} handled a second\n`,
);
report("twenty a transaction");
await waitUntil(() => true);
await Promise.all(flows.map((flow) => flow.stop()));
await bus.stop();
const left = await source.query<{ rows: number }>("select count(*)::int as rows from outbox");
process.stdout.write(`left in the outbox: ${left.rows[0]?.rows}\n`);
await Promise.all([source, ...sinks].map((db) => db.close()));
