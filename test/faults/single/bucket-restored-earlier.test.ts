import { mkdir, readdir, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { dayMs } from "../../../services/platform/durations.ts";
import { firstIdAt } from "../../../services/platform/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { admin } from "../../support/installation/admin.ts";
import { type OwnPostgres, ownPostgres } from "../../support/peers/own-postgres.ts";
import { testS3 } from "../../support/peers/s3.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";
import { countPending, keptEmails } from "../stored-state.ts";

let postgres: OwnPostgres;
let s3: Awaited<ReturnType<typeof testS3>>;
let fixture: FaultFixture;

beforeAll(async () => {
  [postgres, s3] = await Promise.all([ownPostgres(), testS3()]);
  fixture = await startFaultFixture({ DATABASE_URL: postgres.url, ...s3.config });
}, peerInstallLimitMs);
afterEach(() => fixture?.stopLoads());
afterAll(async () => {
  await fixture?.dispose();
  await Promise.all([postgres?.dispose(), s3?.dispose()]);
});

interface Reconciled {
  found: Record<string, number>;
  lost: { service: string; blobId: string; emailIds: string[] }[];
  deletedObjects: number;
  outage?: string;
}

/** It exits with 1 where something is left. */
const reconciled = (...words: string[]): Promise<Reconciled> =>
  admin<Reconciled>(fixture.installation, "reconcile", "--grace", "0", ...words).catch((error) =>
    JSON.parse(error.stdout),
  );

test("a bucket that was restored to an earlier point: emails without their bytes are named, and nothing is deleted", async () => {
  const { installation } = fixture;
  const folder = join(s3.bucketFolder, "ingress");
  const earlierFolder = join(s3.bucketFolder, "..", "..", "since-then");
  const come = async () => {
    const all = fixture.loads.flatMap(({ accepted }) => accepted.flatMap(({ emailIds }) => emailIds));
    await eventually(
      async () => {
        expect(await keptEmails(postgres.url)).toHaveLength(all.length);
        expect(await countPending(postgres.url)).toMatchObject({ outbox: 0, unparsed: 0, uncalledBack: 0 });
      },
      { restMs: 250 },
    );
  };
  // So that each message is still needed when the bucket loses it.
  await admin(installation, "destination", "pause", "example.org");
  const before = fixture.sendUntilStopped("before");
  await before.acceptedMore(10);
  await before.stop();
  await come();
  const then = new Set(await readdir(folder));
  const since = fixture.sendUntilStopped("since");
  await since.acceptedMore(10);
  await since.stop();
  await come();
  expect(await reconciled()).toMatchObject({ found: { withoutObject: 0, strayObjects: 0 }, lost: [] });

  await s3.stop();
  expect((await reconciled("--mend")).outage).toMatch(/^The service cannot do this right now/);
  await s3.start();
  expect((await reconciled()).outage).toBeUndefined();

  await mkdir(earlierFolder);
  const gone = (await readdir(folder)).filter((id) => !then.has(id));
  for (const id of gone) await rename(join(folder, id), join(earlierFolder, id));
  // What a database that was restored to an earlier point would leave there.
  const stray = firstIdAt(new Date(Date.now() - 2 * dayMs));
  await writeFile(join(folder, stray), "bytes of nobody");
  await utimes(join(folder, stray), new Date(Date.now() - 2 * dayMs), new Date(Date.now() - 2 * dayMs));

  const { found, lost, deletedObjects } = await reconciled("--mend", "--delete-objects", "1");
  expect(found).toMatchObject({ withoutObject: gone.length, strayObjects: 0 });
  expect(deletedObjects).toBe(1);
  expect(lost.map(({ service, blobId }) => `${service}/${blobId}`).sort()).toEqual(
    gone.map((id) => `ingress/${id}`).sort(),
  );
  const emailIds = since.accepted.flatMap((mail) => mail.emailIds);
  expect(lost.flatMap((blob) => blob.emailIds).sort()).toEqual([...emailIds].sort());
  expect(new Set(await readdir(folder))).toEqual(then);

  // Once they are back, all comes to its end.
  for (const id of gone) await rename(join(earlierFolder, id), join(folder, id));
  expect(await reconciled()).toMatchObject({ found: { withoutObject: 0, strayObjects: 0 }, lost: [] });
  await admin(installation, "destination", "resume", "example.org");
  await expectNothingLost(fixture);
}, 300_000);
