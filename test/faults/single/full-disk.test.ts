import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { runCommand } from "../../../scripts/peers/command.ts";
import { closeClient, newClient } from "../../../services/platform/db/connection.ts";
import { eventually } from "../../support/eventually.ts";
import { admin } from "../../support/installation/admin.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";
import { framedRows, isWholeMessage, largeMessage, messageFiles } from "../message-files.ts";

const limitMs = 60_000;
let disk: string;
let fixture: FaultFixture;

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), "postern-disk-"));
  // Takes root, or CAP_SYS_ADMIN.
  await runCommand("mount", ["-t", "tmpfs", "-o", "size=500m,mode=0755", "postern-disk", disk], limitMs);
  fixture = await startFaultFixture({ DATA_DIR: join(disk, "data") });
});
afterAll(async () => {
  await fixture?.dispose();
  await runCommand("umount", [disk], limitMs);
  await rm(disk, { recursive: true });
});

const ballast = () => join(disk, "ballast");

/** Not a byte more goes onto it. */
async function fill(): Promise<void> {
  await expect(runCommand("dd", ["if=/dev/zero", `of=${ballast()}`, "bs=4k"], limitMs)).rejects.toThrow(
    /No space left/,
  );
}

test("a full disk: mail is deferred, the doctor says why, and all goes on by itself once there is room", async () => {
  const { installation } = fixture;
  const load = fixture.sendUntilStopped("full");
  await load.acceptedMore(50);
  const url = await installation.databaseUrl();
  await fill();
  await load.refusedMore(40);
  const checks = await admin(installation, "doctor").catch((error: { stdout: string }) => JSON.parse(error.stdout));
  expect(checks).toContainEqual({
    check: "disk",
    isGood: false,
    detail: expect.stringMatching(/^0 MiB .* make room$/),
  });
  await rm(ballast());
  await load.acceptedMore(50);
  // And where the server itself cannot go on: its log has no room for another segment. By a connection from before: on a full disk a
  // new one may be refused, since it cannot write its cache of the catalog.
  const superuser = newClient({ url });
  superuser.on("error", () => undefined);
  await superuser.connect();
  await fill();
  await eventually(async () => {
    await Promise.allSettled([superuser.query("select pg_switch_wal()")]);
    expect(installation.output()).toContain("the embedded PostgreSQL does not start");
  });
  await closeClient(superuser);
  await load.refusedMore(40);
  await rm(ballast());
  await load.acceptedMore(50);
  await load.stop();
  expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
  await expectNothingLost(fixture);
}, 300_000);

test("no room for a message file: mail is deferred, none of it stays on the disk, and all goes on once there is room", async () => {
  const { installation } = fixture;
  const now = await fixture.renewed();
  const load = now.sendUntilStopped("large", { compose: largeMessage, sessions: 10 });
  await load.acceptedMore(20);
  await fill();
  await load.refusedMore(40);
  await rm(ballast());
  await load.acceptedMore(20);
  await load.stop();
  expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
  await expectNothingLost(now);
  expect(now.sink.messages.filter(({ bytes }) => !isWholeMessage(bytes))).toEqual([]);
  // Beside those that have mail which is kept, the one that is written to.
  await eventually(async () => {
    const { ends } = await framedRows(installation);
    const others = [...(await messageFiles(installation)).keys()].filter((path) => !ends.has(path));
    expect(others.length).toBeLessThanOrEqual(1);
  });
}, 300_000);
