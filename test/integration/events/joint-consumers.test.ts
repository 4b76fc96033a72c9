import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { jointConsumers } from "../../../services/platform/events/consumer.ts";
import { consumerQueues } from "../../../services/platform/events/consumer-queue.ts";
import { askForResend, listDeadEvents } from "../../../services/platform/events/dead-events.ts";
import { EventProcessor } from "../../../services/platform/events/event-processor.ts";
import { event, publish } from "../../../services/platform/events/outbox/outbox.ts";
import type { EncodedEvent } from "../../../services/platform/events/types.ts";
import type { Logger } from "../../../services/platform/telemetry/logger.ts";
import { eventually } from "../../support/eventually.ts";
import { silentLogger } from "../../support/peers/database.ts";
import { type BusKind, buses, EventBusFixture, released, startPeersOf, topic } from "./event-bus-fixture.ts";

const other = topics.accountClosed;
const closed = (step: string) => event(other, create(other.schema, { accountId: step }));

/** Consumers that tell what each of their transactions was given, fail on an account that is called "bad", and note the rest. */
function joined(given: string[][], gate: Promise<void> = Promise.resolve()) {
  const state = { isBadRefused: true };
  const consumers = jointConsumers({
    topics: [topic, other],
    pace: "patient",
    isAwaited: ({ rawId }) => rawId === "awaited",
    async handle(tx, releases, accounts) {
      const steps = [
        ...releases.map(({ message }) => message.rawId),
        ...accounts.map(({ message }) => message.accountId),
      ];
      given.push(steps);
      if (given.length === 1) await gate;
      await tx.query("insert into effect (consumer, key, step) select 'one', '', unnest($1::text[])", [steps]);
      if (state.isBadRefused && steps.includes("bad")) throw new Error("cannot take bad");
    },
  });
  return { consumers, state };
}

describe.each(buses)("two topics of one handler over the %s bus", (kind: BusKind) => {
  startPeersOf(kind);
  let fixture: EventBusFixture;
  afterEach(() => fixture.close());

  test("are taken together where their events come together, each event once and in order", async () => {
    fixture = await EventBusFixture.open(kind);
    const given: string[][] = [];
    const gate = Promise.withResolvers<void>();
    const { consumers } = joined(given, gate.promise);
    await fixture.start(consumers);
    await fixture.say("a", "1");
    await eventually(() => expect(given).toEqual([["1"]]));
    await fixture.source.tx((tx) => publish(tx, [released("a", "2"), closed("x"), released("a", "3")]));
    gate.resolve();
    await eventually(async () => expect((await fixture.effects()).sort()).toEqual(["1", "2", "3", "x"]));
    // Kafka's readers fetch each topic by itself, when the former events are done with.
    if (kind === "embedded") expect(given).toEqual([["1"], ["2", "3", "x"]]);
    const { rows } = await fixture.sink.query(
      "select consumer_group, count(*)::integer from inbox group by 1 order by 1",
    );
    expect(rows).toEqual([
      { consumerGroup: "sink.account.closed", count: 1 },
      { consumerGroup: "sink.mail.released", count: 3 },
    ]);
    const metrics = await fixture.metrics.expose("prometheus");
    expect(metrics).toContain('postern_events_handled_total{consumer="sink.account.closed"} 1\n');
    expect(metrics).toContain('postern_events_handled_total{consumer="sink.mail.released"} 3\n');
  });

  test("an event that fails is dead under its own consumer, the rest takes effect, and it comes again alone", async () => {
    fixture = await EventBusFixture.open(kind);
    await fixture.source.tx((tx) => publish(tx, [released("a", "1"), closed("bad"), closed("good")]));
    const given: string[][] = [];
    const { consumers, state } = joined(given);
    await fixture.start(consumers);
    await eventually(async () => expect((await fixture.effects()).sort()).toEqual(["1", "good"]));
    const dead = await eventually(async () => {
      const found = await listDeadEvents(fixture.sink);
      expect(found).toEqual([expect.objectContaining({ consumer: "sink.account.closed", key: "bad" })]);
      return found;
    });
    state.isBadRefused = false;
    await askForResend(
      fixture.sink,
      dead.map(({ id }) => id),
    );
    await eventually(async () => expect((await fixture.effects()).sort()).toEqual(["1", "bad", "good"]));
    expect(given.at(-1)).toEqual(["bad"]);
    await eventually(async () => expect(await fixture.waiting()).toBe(0));
  });
});

test("replicas that are given the same events in another order never wait for each other in a circle", async () => {
  const fixture = await EventBusFixture.open("embedded");
  try {
    const pauses: unknown[] = [];
    const logger = { ...silentLogger, warn: (details: unknown) => pauses.push(details) } as unknown as Logger;
    const [first, second] = joined([]).consumers;
    if (!first || !second) throw new Error("there are two");
    const settings = { name: "sink", db: fixture.sink, consumers: [first, second], logger, metrics: fixture.metrics };
    const replicas = [new EventProcessor([first, second], settings), new EventProcessor([first, second], settings)];
    const { signal } = new AbortController();
    for (let round = 0; round < 15; round++) {
      const events = Array.from({ length: 400 }, (_, index) =>
        index < 200 ? released("a", `${round} ${index}`) : closed(`${round} ${index}`),
      );
      const orders = [events, events.toReversed()];
      await Promise.all(replicas.map((replica, index) => replica.process(orders[index] ?? [], signal)));
    }
    expect(pauses).toEqual([]);
    expect(await fixture.effects()).toHaveLength(15 * 400);
  } finally {
    await fixture.close();
  }
});

test("an event that somebody waits for is known by its message", async () => {
  const fixture = await EventBusFixture.open("embedded");
  try {
    const settings = { name: "sink", db: fixture.sink, logger: silentLogger, metrics: fixture.metrics };
    const [queue] = consumerQueues({ ...settings, consumers: joined([]).consumers });
    const isAwaited = (...events: EncodedEvent[]) => queue?.processor.isAwaited(events);
    expect(isAwaited(released("a", "1"), closed("awaited"))).toBe(false);
    expect(isAwaited(released("a", "1"), released("a", "awaited"))).toBe(true);
    expect(isAwaited({ ...released("a", "awaited"), payload: Buffer.from("no message") })).toBe(false);
  } finally {
    await fixture.close();
  }
});
