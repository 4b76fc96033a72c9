import { open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { FakeClock } from "../../../scripts/peers/faketime.ts";
import { frameHeadBytes } from "../../../services/platform/blobs/segments/frames.ts";
import { eventually } from "../../support/eventually.ts";
import { admin } from "../../support/installation/admin.ts";
import type { MailLoad } from "../../support/mail/mail-load.ts";
import { SmtpClient } from "../../support/mail/smtp.ts";
import { asSuperuser } from "../../support/peers/database.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, inFlightLimit, startFaultFixture } from "../fault-fixture.ts";
import { filesWith, framedRows, isWholeMessage, largeMessage, messageFiles } from "../message-files.ts";
import { countPending } from "../stored-state.ts";

const clockFile = join(tmpdir(), `postern-files-clock-${process.pid}`);
let clock: FakeClock;
let fixture: FaultFixture;

beforeAll(async () => {
  clock = await FakeClock.make(clockFile);
  // Files have the machine's times, so that the process finds them older than they are.
  fixture = await startFaultFixture({ ...clock.environment, NO_FAKE_STAT: "1" });
});
beforeEach(async () => {
  fixture = await fixture.renewed();
});
afterEach(() => fixture?.stopLoads());
afterAll(async () => {
  await fixture?.dispose();
  await rm(clockFile, { force: true });
});

interface Reconciled {
  lost: { blobId: string; emailIds: string[] }[];
}

interface Check {
  check: string;
  isGood: boolean;
  detail: string;
}

/** It exits with 1 where something is left, or bad. */
const asked = <T>(...words: string[]): Promise<T> =>
  admin<T>(fixture.installation, ...words).catch((error) => JSON.parse(error.stdout));
const lost = async () => (await asked<Reconciled>("reconcile", "--grace", "0")).lost;
const doctor = async () => (await asked<Check[]>("doctor")).find(({ check }) => check === "message files");

/** Large mail that stays, since the domain that it leaves for is paused. */
async function sendAndKeep(name: string): Promise<MailLoad> {
  const { installation } = fixture;
  await admin(installation, "destination", "pause", "example.org");
  const load = fixture.sendUntilStopped(name, { compose: largeMessage, sessions: 5 });
  await load.acceptedMore(10);
  await load.stop();
  const url = await installation.databaseUrl();
  await eventually(async () =>
    expect(await countPending(url)).toMatchObject({ outbox: 0, unparsed: 0, uncalledBack: 0 }),
  );
  return load;
}

async function expectAllWhole(): Promise<void> {
  await expectNothingLost(fixture, { forwardedTwice: inFlightLimit, calledTwice: inFlightLimit });
  expect(fixture.sink.messages.filter(({ bytes }) => !isWholeMessage(bytes))).toEqual([]);
}

test("a damaged file is named with the emails it held, the rest goes on, and all does once its bytes are back", async () => {
  const { installation, sink } = fixture;
  const load = await sendAndKeep("damaged");
  expect(await lost()).toEqual([]);
  expect(await doctor()).toMatchObject({ isGood: true, detail: expect.stringMatching(/^1 under DATA_DIR/) });
  const { rows } = await framedRows(installation);
  const [first, last] = [rows[0], rows.at(-1)];
  const [path = ""] = (await messageFiles(installation)).keys();
  if (!first || !last) throw new Error("no message lies in a file");
  await installation.process("ingress").kill();
  const whole = await readFile(path);
  const file = await open(path, "r+");
  await file.write("?", first.offset + frameHeadBytes + 1_000);
  await file.close();
  await truncate(path, last.offset + frameHeadBytes + 1_000);
  await installation.revive();
  expect(installation.output()).toContain("segments lack messages: `admin -- reconcile` names their emails");

  const url = await installation.databaseUrl();
  const named = await lost();
  const held = await asSuperuser<{ blobId: string; emailIds: string[] }>(
    url,
    "select raw_id as blob_id, email_ids from ingress.raw_message where raw_id::text = any ($1)",
    [[first.id, last.id]],
  );
  const sorted = (blobs: Reconciled["lost"]) =>
    blobs
      .map(({ blobId, emailIds }) => ({ blobId, emailIds: emailIds.toSorted() }))
      .sort((one, other) => (one.blobId < other.blobId ? -1 : 1));
  expect(sorted(named)).toEqual(sorted(held));
  expect(await doctor()).toMatchObject({
    isGood: false,
    detail: expect.stringMatching(/^gone or cut: ingress\/\d+; "reconcile" names the emails that they held$/),
  });

  await admin(installation, "destination", "resume", "example.org");
  const damaged = new Set(named.flatMap(({ emailIds }) => emailIds));
  const isDamaged = (emailIds: readonly string[]) => emailIds.some((id) => damaged.has(id));
  const goesOn = load.accepted.filter(({ emailIds }) => !isDamaged(emailIds));
  const leaves = goesOn.reduce((sum, { recipients }) => sum + recipients.length, 0);
  await eventually(async () => {
    expect(sink.messages).toHaveLength(leaves);
    expect(await countPending(url)).toMatchObject({ undelivered: damaged.size });
  });

  await installation.process("ingress").kill();
  await writeFile(path, whole);
  await installation.revive();
  expect(await lost()).toEqual([]);
  await expectAllWhole();
}, 300_000);

test("switched off, the files go once their mail is in the database, as a former release needs it", async () => {
  const { installation } = fixture;
  await sendAndKeep("off");
  expect((await framedRows(installation)).rows.length).toBeGreaterThan(0);
  const running = installation.process("ingress");
  await running.stop();
  const { options } = running;
  const off = new ServiceProcess({ ...options, environment: { ...options.environment, MESSAGE_FILES: "off" } });
  off.start();
  await off.ready();
  try {
    await eventually(async () => expect([...(await messageFiles(installation)).keys()]).toEqual([]));
    expect((await framedRows(installation)).rows).toEqual([]);
    await admin(installation, "destination", "resume", "example.org");
    const load = fixture.sendUntilStopped("into-rows", { compose: largeMessage, sessions: 5 });
    await load.acceptedMore(10);
    await load.stop();
    expect([...(await messageFiles(installation)).keys()]).toEqual([]);
    await expectAllWhole();
  } finally {
    await off.stop();
    await installation.revive();
  }
}, 300_000);

test("erased mail has left the disk within a day, though other mail of its file stays", async () => {
  const { installation, browsable, forwardOnly, sink } = fixture;
  const client = await SmtpClient.open(installation.smtpPort);
  // The kept one behind the other, which is no end that a start cuts off.
  await client.deliver([forwardOnly.proxyAddress], largeMessage("this-one-is-erased"), "jack@example.com");
  await client.deliver([browsable.proxyAddress], largeMessage("this-one-is-kept"), "jack@example.com");
  client.destroy();
  await eventually(async () => {
    expect(sink.messages).toHaveLength(2);
    expect((await framedRows(installation)).rows).toHaveLength(1);
  });
  const kept = await filesWith(installation, "this-one-is-kept");
  expect(kept).toHaveLength(1);
  expect(await filesWith(installation, "this-one-is-erased")).toEqual(kept);

  const movedAfterHours = 13;
  await installation.process("ingress").kill();
  await clock.set(movedAfterHours * 3_600);
  await installation.revive();
  await eventually(async () => expect(await filesWith(installation, "this-one-is-erased")).toEqual([]));
  const [row] = await asSuperuser<{ count: number }>(
    await installation.databaseUrl(),
    "select count(*)::int as count from ingress.blob where position('this-one-is-kept'::bytea in bytes) > 0",
  );
  expect(row?.count).toBe(1);
}, 300_000);
