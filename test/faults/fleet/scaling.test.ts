import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { FleetService } from "../../../scripts/fleet/fleet.ts";
import { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/rest-client.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { longLeases, type Scene, setScene } from "../fault-installation.ts";

/** What KEDA scales by lag, and an event that each reads of every email here. */
const scaled: readonly (readonly [FleetService, string])[] = [
  ["mailbox", "mailbox.mail.accepted"],
  ["forwarder", "forwarder.mail.accepted"],
  ["webhook", "webhook.mail.stored"],
];
/** Less than this between two messages of a session: more mail than is asked of one process here. */
const restMs = 50;
const mailsPerPhase = 200;

let scene: Scene;

beforeAll(async () => {
  scene = await setScene(longLeases);
});
afterAll(() => scene?.dispose());

/** One more process of a service, as a deployment adds a pod: nobody calls it, and it takes its share of the partitions. */
async function another(service: FleetService): Promise<ServiceProcess> {
  const { options } = scene.installation.process(service);
  const [port = 0] = await freePorts(1);
  const environment = { ...options.environment, INTERNAL_PORT: String(port) };
  return new ServiceProcess({ ...options, environment, healthUrl: `http://127.0.0.1:${port}` });
}

/** Events that a process has taken for a consumer. */
async function handled(process: ServiceProcess, consumer: string): Promise<number> {
  const { text } = await call(`${process.options.healthUrl}/metrics`, "GET");
  return Number(new RegExp(`^postern_events_handled_total\\{consumer="${consumer}"\\} (\\d+)$`, "m").exec(text)?.[1]);
}

test("consumers scaled from one process to three and back under load: partitions move, nothing is lost or doubled", async () => {
  const { installation, sink } = scene;
  const load = scene.pour("scaled", { restMs });
  const phase = async (name: string) => {
    const [from, beganMs] = [sink.messages.length, performance.now()];
    await load.acceptedMore(mailsPerPhase);
    const perSecond = (sink.messages.length - from) / ((performance.now() - beganMs) / 1_000);
    process.stdout.write(`${name}: ${perSecond.toFixed(0)} emails forwarded a second\n`);
  };
  await phase("one process each");
  const added = await Promise.all(
    scaled.flatMap(([service, consumer]) =>
      [1, 2].map(async () => ({ consumer, process: await another(service), first: installation.process(service) })),
    ),
  );
  try {
    for (const { process } of added) process.start();
    await Promise.all(added.map(({ process }) => process.ready()));
    // Each has a part of every topic to itself.
    await eventually(async () => {
      const counts = await Promise.all(added.map(({ process, consumer }) => handled(process, consumer)));
      expect(counts.filter((count) => !(count > 0))).toEqual([]);
    });
    await phase("three processes each");
    expect(await Promise.all(added.map(({ process }) => process.stop()))).toEqual(added.map(() => 0));
  } finally {
    await Promise.all(added.map(({ process }) => process.kill()));
  }
  // And back: the first ones have all of it again, and go on.
  const before = await Promise.all(added.map(({ first, consumer }) => handled(first, consumer)));
  await phase("one process each again");
  await load.stop();
  expect(load.refused).toEqual([]);
  expect(load.unanswered).toEqual([]);
  await expectNothingLost(scene);
  const after = await Promise.all(added.map(({ first, consumer }) => handled(first, consumer)));
  for (const [index, count] of after.entries()) expect(count).toBeGreaterThan(before[index] ?? 0);
}, 300_000);
