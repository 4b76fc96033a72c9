import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { runningPostmaster } from "../../../services/platform/db/embedded/postmaster.ts";
import { eventually } from "../../support/eventually.ts";
import { admin } from "../../support/installation/admin.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, inFlightLimit, startFaultFixture } from "../fault-fixture.ts";
import { type FileFault, FileFaults } from "../file-faults.ts";
import { framedRows, isWholeMessage, largeMessage, messageFiles } from "../message-files.ts";

const faults = new FileFaults();
let fixture: FaultFixture;
/** How often the process was killed. */
let kills = 0;

beforeAll(async () => {
  fixture = await startFaultFixture(faults.environment);
});
afterEach(async () => {
  await faults.end();
  await fixture?.stopLoads();
});
afterAll(async () => {
  await fixture?.dispose();
  await faults.dispose();
});

const send = (name: string) => fixture.sendUntilStopped(name, { compose: largeMessage, sessions: 10, restMs: 50 });

async function expectAllWhole(): Promise<void> {
  const twice = kills * inFlightLimit;
  await expectNothingLost(fixture, { forwardedTwice: twice, calledTwice: twice });
  expect(fixture.sink.messages.filter(({ bytes }) => !isWholeMessage(bytes))).toEqual([]);
}

test.each<FileFault>([
  "killed before the append",
  "killed amid the append",
  "killed before the flush",
  "killed before the commit",
  "killed before the answer",
])(
  "%s: nothing is lost, and no file has more than its rows speak of",
  async (fault) => {
    const { installation } = fixture;
    // Before the load, so that the rows of its mail are still there when they are looked at, however long after the kill that is.
    await admin(installation, "destination", "pause", "example.org");
    const load = send(fault.replaceAll(" ", "-"));
    await load.acceptedMore(15);
    await faults.begin(fault);
    await eventually(() => expect(installation.process("ingress").isRunning).toBe(false));
    kills += 1;
    await load.stop();
    const torn = await messageFiles(installation);
    await installation.revive();
    const { ends } = await framedRows(installation);
    const left = await messageFiles(installation);
    // Of the others rows may have been removed since the start.
    const newest = [...left.keys()].at(-1) ?? "";
    expect({ newest, size: left.get(newest) }).toEqual({ newest, size: ends.get(newest) });
    for (const [path, end] of ends) expect(left.get(path)).toBeGreaterThanOrEqual(end);
    const write = await faults.lastWrite();
    process.stdout.write(`${fault}: ${torn.size} files, ${left.size} left, ${JSON.stringify(write)}\n`);
    const isSeenInFiles = ["killed amid the append", "killed before the flush", "killed before the commit"];
    if (isSeenInFiles.includes(fault)) {
      // It may be the first of a new file, which is gone then.
      expect(torn.get(write?.path ?? "")).toBeGreaterThan(write?.position ?? 0);
      expect(left.get(write?.path ?? "") ?? 0).toBeLessThanOrEqual(write?.position ?? 0);
    }
    await admin(installation, "destination", "resume", "example.org");
    const after = send(`after-${load.accepted.length}`);
    await after.acceptedMore(15);
    await after.stop();
    await expectAllWhole();
  },
  300_000,
);

test("PostgreSQL is killed between an append and its commit: the mail is deferred, and nothing is lost", async () => {
  const { installation } = fixture;
  const load = send("restarted");
  await load.acceptedMore(15);
  await faults.begin("held before the commit");
  await eventually(async () => expect(await faults.log()).toContain("held"));
  const server = await runningPostmaster(`${installation.dataDir}/postgres/data`);
  process.kill(server?.pid ?? 0, "SIGKILL");
  await eventually(async () => {
    const next = await runningPostmaster(`${installation.dataDir}/postgres/data`);
    expect(next).toMatchObject({ isReady: true });
    expect(next?.pid).not.toBe(server?.pid);
  });
  await faults.end();
  await load.refusedMore(1);
  await load.acceptedMore(15);
  await load.stop();
  await expectAllWhole();
}, 300_000);

test("a flush that fails ends its file and is not tried again on it: mail is deferred until one succeeds", async () => {
  const { installation } = fixture;
  const load = send("unflushed");
  await load.acceptedMore(15);
  await faults.begin("no flush succeeds");
  await load.refusedMore(10);
  await faults.end();
  await load.acceptedMore(15);
  await load.stop();
  expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
  const log = await faults.log();
  const failed = log.filter((line) => line.startsWith("failed ")).map((line) => line.slice("failed ".length));
  expect(failed.length).toBeGreaterThan(0);
  for (const path of failed) {
    const ofFile = log.filter((line) => line.endsWith(path));
    expect(ofFile.indexOf(`failed ${path}`)).toBe(ofFile.length - 1);
  }
  await installation.process("ingress").kill();
  kills += 1;
  await installation.revive();
  await expectAllWhole();
}, 300_000);
