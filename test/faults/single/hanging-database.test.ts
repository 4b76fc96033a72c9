import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/rest-client.ts";
import { type OwnPostgres, ownPostgres } from "../../support/peers/own-postgres.ts";
import { apiRequests } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";

let postgres: OwnPostgres;
let fixture: FaultFixture;

beforeAll(async () => {
  postgres = await ownPostgres();
  fixture = await startFaultFixture({ DATABASE_URL: postgres.url });
});
afterAll(async () => {
  await fixture?.dispose();
  await postgres?.dispose();
});

test("PostgreSQL hangs with every connection open: the API's callers are told within their patience, and it goes on by itself", async () => {
  const { installation } = fixture;
  const load = fixture.sendUntilStopped("hung");
  await load.acceptedMore(50);
  await load.stop();
  const requests = await apiRequests(fixture);
  const resume = await postgres.hang();
  try {
    // Each gives up by itself after 30 s, before which a statement may run on a server that is well.
    const answers = await Promise.all(
      requests.map(async ({ method, path, body, headers }) => {
        const { status, headers: answered } = await call(`${installation.url}${path}`, method, body, headers);
        return { request: `${method} ${path}`, status, retryAfter: answered.get("retry-after") };
      }),
    );
    expect(answers.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
  } finally {
    resume();
  }
  await eventually(async () => {
    for (const { method, path, body, headers } of requests)
      expect((await call(`${installation.url}${path}`, method, body, headers)).status).toBeLessThan(300);
  });
  await expectNothingLost(fixture);
}, 300_000);

/** What the log said that the services could not do, by service. */
function told(lines: readonly string[], message: string): string[] {
  const read = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return read.flatMap(({ msg, service }) => (msg === message ? [String(service)] : [])).toSorted();
}

test("PostgreSQL hangs while mail comes: senders are deferred, the log says so once for each service, in lines, and it goes on by itself", async () => {
  const { installation } = fixture;
  const load = fixture.sendUntilStopped("hung-with-mail", { sessions: 10 });
  await load.acceptedMore(50);
  const from = installation.output().length;
  const resume = await postgres.hang();
  try {
    // Each is refused once its attempt has come to an end, so that several rounds of attempts are made.
    await load.refusedMore(30);
    expect((await call(`${installation.url}/readyz`, "GET")).status).toBe(503);
  } finally {
    resume();
  }
  await load.acceptedMore(50);
  await load.stop();
  expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
  await expectNothingLost(fixture);
  const lines = installation.output().slice(from).split("\n");
  expect(lines.filter((line) => line.includes('"stack"'))).toEqual([]);
  const stored = ["auth", "bindings", "forwarder", "ingress", "mailbox", "webhook"];
  for (const message of ["cannot listen to the database, trying again", "outbox relay cannot publish, retrying"])
    expect(told(lines, message)).toEqual(stored);
}, 300_000);
