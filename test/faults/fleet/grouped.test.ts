import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { FleetService } from "../../../scripts/fleet/fleet.ts";
import type { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { eventually } from "../../support/eventually.ts";
import { asSuperuser } from "../../support/peers/database.ts";
import { ownKafka } from "../../support/peers/kafka.ts";
import { notReady } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, inFlightLimit, startFaultFixture } from "../fault-fixture.ts";
import { handledEvents } from "./handled-events.ts";

// What a chart with `groups` runs: the services that mail goes through in one process, and several of it.

const group: readonly FleetService[] = ["ingress", "forwarder", "mailbox", "bindings"];

let kafka: Awaited<ReturnType<typeof ownKafka>>;
let fixture: FaultFixture;
let second: ServiceProcess;

beforeAll(async () => {
  kafka = await ownKafka();
  fixture = await startFaultFixture({ KAFKA_BROKERS: kafka.brokers }, { group });
  second = await fixture.installation.process("ingress").another();
  second.start();
  await second.ready();
});
afterAll(async () => {
  await fixture?.stopLoads();
  await second?.stop();
  await fixture?.dispose();
  await kafka?.dispose();
});

test("a group is one process", () => {
  const { installation } = fixture;
  expect(new Set(group.map((name) => installation.process(name))).size).toBe(1);
  expect(installation.processes()).toHaveLength(5);
});

test("two of a group, either killed under load and started again: nothing is lost", async () => {
  const both = [fixture.installation.process("ingress"), second];
  const loads = both.map((each) => fixture.sendUntilStopped("grouped", { port: each.port("SMTP_PORT"), restMs: 300 }));
  const more = () => Promise.all(loads.map((load) => load.acceptedMore(50)));
  await more();
  // Each takes what it has accepted itself.
  await eventually(async () => {
    const consumers = ["forwarder.mail.accepted", "mailbox.mail.accepted", "bindings.mail.accepted"];
    const counts = await Promise.all(
      both.flatMap((each) => consumers.map((consumer) => handledEvents(each, consumer))),
    );
    expect(counts.filter((count) => !(count > 0))).toEqual([]);
  });
  for (const each of both) {
    await each.kill();
    each.start();
    await each.ready();
    await more();
  }
  await Promise.all(loads.map((load) => load.stop()));
  await expectNothingLost(fixture, { forwardedTwice: 2 * inFlightLimit, calledTwice: 0 });
}, 300_000);

test("Kafka gone: mail is taken and forwarded, and is on its timeline; callbacks follow once it is back", async () => {
  fixture = await fixture.renewed();
  const { installation, sink, target } = fixture;
  await kafka.kill();
  await eventually(async () => {
    const waiting = await notReady(installation.process("forwarder").options.healthUrl);
    expect(waiting).toContainEqual({ module: "forwarder events", reason: "broker is out of reach" });
  });
  const load = fixture.sendUntilStopped("without-kafka");
  await load.acceptedMore(50);
  await load.stop();
  expect(load.refused).toEqual([]);
  const wanted = load.accepted.reduce((sum, { recipients }) => sum + recipients.length, 0);
  await eventually(() => expect(sink.messages).toHaveLength(wanted));
  const emailIds = load.accepted.flatMap((mail) => mail.emailIds);
  const url = await installation.databaseUrl();
  const sql = "select email_id from mailbox.timeline where kind = 'forwarded' and email_id = any ($1::uuid[])";
  await eventually(async () => expect(await asSuperuser(url, sql, [emailIds])).toHaveLength(wanted));
  expect(target.received).toEqual([]);
  await kafka.start();
  await expectNothingLost(fixture);
}, 300_000);
