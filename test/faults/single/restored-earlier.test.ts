import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { admin } from "../../support/installation/admin.ts";
import { type OwnPostgres, ownPostgres } from "../../support/peers/own-postgres.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";
import { SchemaSnapshot } from "../restored-earlier.ts";
import { countPending, keptEmails } from "../stored-state.ts";

// It stays while the one process that would have its own is down.
let postgres: OwnPostgres;
let fixture: FaultFixture;

beforeAll(async () => {
  postgres = await ownPostgres();
  fixture = await startFaultFixture({ DATABASE_URL: postgres.url });
});
afterEach(() => fixture.stopLoads());
afterAll(async () => {
  await fixture?.dispose();
  await postgres?.dispose();
});

type Service = "forwarder" | "ingress" | "mailbox" | "webhook";

interface Reconciled {
  isMended: boolean;
  found: Record<string, number>;
}

async function restore(snapshots: readonly SchemaSnapshot[], services: readonly Service[]): Promise<void> {
  const { installation } = fixture;
  for (const service of services)
    if (installation.process(service).isRunning) await installation.process(service).kill();
  for (const snapshot of snapshots) await snapshot.restore();
  await installation.revive();
}

const reconciled = (...words: string[]) =>
  admin<Reconciled>(fixture.installation, "reconcile", "--grace", "0", ...words);

test.each<{ services: Service[]; calledTwice: number }>([
  { services: ["mailbox"], calledTwice: 0 },
  { services: ["forwarder"], calledTwice: 0 },
  { services: ["webhook"], calledTwice: Number.POSITIVE_INFINITY },
  // As well what the bus took and lost before anybody had it.
  { services: ["forwarder", "mailbox", "webhook"], calledTwice: Number.POSITIVE_INFINITY },
])(
  "$services restored to an earlier point: what ingress still has comes to its end",
  async ({ services, calledTwice }) => {
    const { installation } = fixture;
    const { url } = postgres;
    // So that each message is still needed when the schema loses it.
    await admin(installation, "destination", "pause", "example.org");
    const load = fixture.sendUntilStopped(`earlier-${services[0]}`);
    await load.acceptedMore(30);
    const snapshots: SchemaSnapshot[] = [];
    for (const service of services) snapshots.push(await SchemaSnapshot.take(url, service));
    await load.acceptedMore(30);
    await load.stop();
    const all = fixture.loads.flatMap(({ accepted }) => accepted.flatMap(({ emailIds }) => emailIds));
    await eventually(
      async () => {
        expect(await keptEmails(url)).toHaveLength(all.length);
        expect(await countPending(url)).toMatchObject({ outbox: 0, unparsed: 0, uncalledBack: 0 });
      },
      { restMs: 250 },
    );
    await restore(snapshots, services);
    const { isMended, found } = await reconciled("--mend");
    process.stdout.write(`${services}: ${JSON.stringify(found)}\n`);
    expect({ isMended, withoutEvent: found["withoutEvent"] }).toEqual({ isMended: true, withoutEvent: 0 });
    await admin(installation, "destination", "resume", "example.org");
    await expectNothingLost(fixture, { forwardedTwice: 0, calledTwice });
    // And what was mended is agreed upon.
    const agreed = Object.fromEntries(Object.keys(found).map((fault) => [fault, 0]));
    expect(await reconciled()).toEqual({ isMended: false, found: agreed, lost: [], deletedObjects: 0 });
  },
  300_000,
);

test("ingress restored to an earlier point: nothing is sent twice, and what comes back is deleted", async () => {
  const { url } = postgres;
  const load = fixture.sendUntilStopped("earlier-ingress");
  await load.acceptedMore(30);
  const snapshot = await SchemaSnapshot.take(url, "ingress");
  await load.stop();
  await expectNothingLost(fixture, { forwardedTwice: 0, calledTwice: Number.POSITIVE_INFINITY });
  await restore([snapshot], ["ingress"]);
  await reconciled("--mend");
  await expectNothingLost(fixture, { forwardedTwice: 0, calledTwice: Number.POSITIVE_INFINITY });
}, 300_000);
