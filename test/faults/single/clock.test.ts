import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { FakeClock } from "../../../scripts/peers/faketime.ts";
import { eventually } from "../../support/eventually.ts";
import { asSuperuser } from "../../support/peers/database.ts";
import { type OwnPostgres, ownPostgres } from "../../support/peers/own-postgres.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";

const hourS = 3_600;
const files = ["services", "database"].map((name) => join(tmpdir(), `postern-clock-${process.pid}-${name}`));

let services: FakeClock;
let database: FakeClock;
let postgres: OwnPostgres;
let fixture: FaultFixture;

beforeAll(async () => {
  [services, database] = (await Promise.all(files.map((file) => FakeClock.make(file)))) as [FakeClock, FakeClock];
  postgres = await ownPostgres(database.environment);
  fixture = await startFaultFixture({ DATABASE_URL: postgres.url, ...services.environment });
});
afterEach(() => fixture.stopLoads());
afterAll(async () => {
  await fixture?.dispose();
  await postgres?.dispose();
  await Promise.all(files.map((file) => rm(file, { force: true })));
});

/** How far, in hours, the clocks are from ours. */
async function hoursAhead(): Promise<{ services: number; database: number }> {
  const { headers } = await fetch(`${fixture.installation.url}/readyz`);
  const [row] = await asSuperuser<{ now: Date }>(postgres.url, "select clock_timestamp() as now");
  const ahead = (ms: number) => Math.round((ms - Date.now()) / 1_000 / hourS) + 0;
  return { services: ahead(Date.parse(headers.get("date") ?? "")), database: ahead(row?.now.getTime() ?? 0) };
}

test("a clock that is set back by an hour, to rights, and ahead by an hour, the services' first: mail flows, once each", async () => {
  const { sink } = fixture;
  const load = fixture.sendUntilStopped("clock");
  await load.acceptedMore(30);
  for (const hours of [-1, 0, 1]) {
    for (const [name, clock] of Object.entries({ services, database })) {
      await clock.set(hours * hourS);
      await eventually(async () => expect(await hoursAhead()).toMatchObject({ [name]: hours }));
      const left = sink.messages.length;
      await load.acceptedMore(30);
      await eventually(() => expect(sink.messages.length).toBeGreaterThan(left + 30));
    }
  }
  await load.stop();
  expect(load.refused).toEqual([]);
  await expectNothingLost({ ...fixture, rest: await fixture.installation.rest() });
}, 300_000);
