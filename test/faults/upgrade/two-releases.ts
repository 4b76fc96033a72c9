import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { eventually } from "../../support/eventually.ts";
import type { MailLoad } from "../../support/mail/mail-load.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, longLeases, startFaultFixture } from "../fault-fixture.ts";

// Run by `npm run upgrade-check`: RELEASE_FOLDER is a checkout of an earlier release with its dependencies.

const releaseFolder = new URL(process.env["RELEASE_FOLDER"] ?? "");
const thisFolder = new URL("../../../", import.meta.url);

let fixture: FaultFixture;
let running: ServiceProcess[];

beforeAll(async () => {
  fixture = await startFaultFixture(longLeases);
  running = [...fixture.installation.processes()];
});
afterAll(async () => {
  await fixture?.stopLoads();
  await Promise.all(running?.map((process) => process.stop()) ?? []);
  await fixture?.dispose();
});

/** One service after the other is stopped, and started from another checkout. @returns their exit codes. */
async function replaceAll(folder: URL, load: MailLoad): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const [index, process] of running.entries()) {
    codes.push(await process.stop());
    const next = new ServiceProcess({ ...process.options, folder });
    running[index] = next;
    next.start();
    await next.ready();
    // Mail may wait with its sender meanwhile: services of two releases may refuse each other's calls.
    const outcomes = () => load.accepted.length + load.refused.length;
    const before = outcomes();
    await eventually(() => expect(outcomes()).toBeGreaterThan(before + 20), { patienceMs: 60_000 });
  }
  return codes;
}

test("each service replaced by the earlier release's under load, and back: over one database and one Kafka nothing is lost", async () => {
  const load = fixture.sendUntilStopped("two-releases");
  await load.acceptedMore(50);
  const back = await replaceAll(releaseFolder, load);
  await load.acceptedMore(50);
  const forth = await replaceAll(thisFolder, load);
  await load.acceptedMore(50);
  await load.stop();
  expect([...back, ...forth]).toEqual([...back, ...forth].map(() => 0));
  await expectNothingLost(fixture);
}, 540_000);
