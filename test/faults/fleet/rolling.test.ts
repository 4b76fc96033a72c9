import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { FleetService } from "../../../scripts/fleet/fleet.ts";
import type { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { eventually } from "../../support/eventually.ts";
import { ApiLoad } from "../../support/http/api-load.ts";
import { restClient } from "../../support/http/rest-client.ts";
import { ServiceAddress } from "../../support/installation/service-address.ts";
import { apiRequests } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, longLeases, startFaultFixture } from "../fault-fixture.ts";
import { handledEvents } from "./handled-events.ts";

const services: readonly FleetService[] = [
  "auth",
  "bindings",
  "mailbox",
  "forwarder",
  "webhook",
  "ingress",
  "rest",
  "gateway",
];

/** What KEDA scales by lag, and an event that each reads of every email here. */
const scaled: readonly (readonly [FleetService, string])[] = [
  ["mailbox", "mailbox.mail.accepted"],
  ["forwarder", "forwarder.mail.accepted"],
  ["webhook", "webhook.mail.stored"],
];
/** Less than this between two messages of a session: more mail than is asked of one process here. */
const restMs = 50;
const mailsPerPhase = 200;

const addresses = new Map<string, ServiceAddress>();
const successors: ServiceProcess[] = [];
let fixture: FaultFixture;

async function open(name: string, port: number): Promise<ServiceAddress> {
  const address = await ServiceAddress.open(port);
  addresses.set(name, address);
  return address;
}

beforeAll(async () => {
  fixture = await startFaultFixture(longLeases, {
    addressOf: async (service, port) => `http://127.0.0.1:${(await open(service, port)).port}`,
  });
});
afterAll(async () => {
  await fixture?.stopLoads();
  await Promise.all(successors.map((process) => process.stop()));
  await fixture?.dispose();
  await Promise.all([...addresses.values()].map((address) => address.close()));
});

test("consumers scaled from one process to three and back under load: partitions move, nothing is lost or doubled", async () => {
  const { installation, sink } = fixture;
  const load = fixture.sendUntilStopped("scaled", { restMs });
  const phase = async (name: string) => {
    const [from, beganMs] = [sink.messages.length, performance.now()];
    await load.acceptedMore(mailsPerPhase);
    const perSecond = (sink.messages.length - from) / ((performance.now() - beganMs) / 1_000);
    process.stdout.write(`${name}: ${perSecond.toFixed(0)} emails forwarded a second\n`);
  };
  await phase("one process each");
  const added = await Promise.all(
    scaled.flatMap(([service, consumer]) =>
      [1, 2].map(async () => {
        const first = installation.process(service);
        return { consumer, process: await first.another(), first };
      }),
    ),
  );
  try {
    for (const { process } of added) process.start();
    await Promise.all(added.map(({ process }) => process.ready()));
    // Each has a part of every topic to itself.
    await eventually(async () => {
      const counts = await Promise.all(added.map(({ process, consumer }) => handledEvents(process, consumer)));
      expect(counts.filter((count) => !(count > 0))).toEqual([]);
    });
    await phase("three processes each");
    expect(await Promise.all(added.map(({ process }) => process.stop()))).toEqual(added.map(() => 0));
  } finally {
    await Promise.all(added.map(({ process }) => process.kill()));
  }
  // And back: the first ones have all of it again, and go on.
  const before = await Promise.all(added.map(({ first, consumer }) => handledEvents(first, consumer)));
  await phase("one process each again");
  await load.stop();
  expect(load.refused).toEqual([]);
  expect(load.unanswered).toEqual([]);
  await expectNothingLost(fixture);
  const after = await Promise.all(added.map(({ first, consumer }) => handledEvents(first, consumer)));
  for (const [index, count] of after.entries()) expect(count).toBeGreaterThan(before[index] ?? 0);
}, 300_000);

/** The next release's pod: ready beside the one that runs, then connections come to it alone. */
async function surge(service: FleetService): Promise<void> {
  const next = await fixture.installation.process(service).another();
  successors.push(next);
  next.start();
  await next.ready();
  addresses.get(service)?.leadTo(next.port("INTERNAL_PORT"));
  if (service === "gateway") addresses.get("http")?.leadTo(next.port("HTTP_PORT"));
  if (service === "ingress") addresses.get("smtp")?.leadTo(next.port("SMTP_PORT"));
}

test("each service replaced as a rollout does it, under load: nothing lost, doubled, deferred, or refused to who asks twice", async () => {
  const { installation, target } = fixture;
  const door = await open("http", Number(new URL(installation.url).port));
  const mailDoor = await open("smtp", installation.smtpPort);
  const url = `http://127.0.0.1:${door.port}`;
  // Every fourth callback fails, so that attempts are due again while processes come and go.
  target.answerWith(...Array.from({ length: 4_000 }, (_, index) => (index % 4 === 0 ? 503 : 200)));
  const load = fixture.sendUntilStopped("rolled", { port: mailDoor.port, restMs: 500 });
  await load.acceptedMore(50);
  const requests = await apiRequests(fixture);
  const api = new ApiLoad({ url, requests, untilAgain: async () => undefined });
  const codes: (number | null)[] = [];
  for (const service of services) {
    await surge(service);
    codes.push(await installation.process(service).stop());
    await load.acceptedMore(20);
  }
  const outcomes = await api.stop();
  await load.stop();
  process.stdout.write(`${outcomes.length} requests, ${api.askedAgain} of them asked twice\n`);
  expect(codes).toEqual(services.map(() => 0));
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
  expect(load.unanswered).toEqual([]);
  // What a session hears when its process goes: it says so before a message is begun, and a new session is served.
  expect(load.refused.filter(({ reply, isSentWhole }) => isSentWhole || !/^421 4\.3\.2 |^$/.test(reply))).toEqual([]);
  await expectNothingLost({ ...fixture, rest: await restClient(url, installation.account) });
}, 300_000);
