import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { ApiLoad } from "../../support/http/api-load.ts";
import { admin } from "../../support/installation/admin.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { asSuperuser } from "../../support/peers/database.ts";
import { type ReplicatedPostgres, replicatedPostgres } from "../../support/peers/own-postgres.ts";
import { apiRequests, notReady } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";
import { countPending } from "../stored-state.ts";

let postgres: ReplicatedPostgres;
let fixture: FaultFixture;

beforeAll(async () => {
  postgres = await replicatedPostgres();
  fixture = await startFaultFixture({ DATABASE_URL: postgres.url });
});
afterEach(() => fixture.stopLoads());
afterAll(async () => {
  await fixture?.dispose();
  await postgres?.dispose();
});

test("PostgreSQL restarted under load: 451 and 503 meanwhile, and everything goes on by itself", async () => {
  const { installation } = fixture;
  const load = fixture.sendUntilStopped("restarted");
  await load.acceptedMore(100);
  const requests = await apiRequests(fixture);
  await postgres.crash();
  const api = new ApiLoad({ url: installation.url, requests });
  await load.refusedMore(40);
  const unready = await notReady(installation.process("ingress").options.healthUrl);
  await eventually(() => expect(api.outcomes.length).toBeGreaterThanOrEqual(2 * requests.length));
  const outcomes = await api.stop();
  await postgres.start();
  await load.acceptedMore(100);
  await load.stop();
  expect(unready).toContainEqual({ module: "ingress", reason: "database is out of reach" });
  expect(outcomes.filter(({ status, retryAfterS }) => status !== 503 || !retryAfterS)).toEqual([]);
  expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
  await expectNothingLost(fixture);
}, 300_000);

/** As after a failover to a standby that was not promoted. */
async function setReadOnly(value: "= on" | "to default"): Promise<void> {
  const change = `alter database postgres set default_transaction_read_only ${value}`;
  await asSuperuser(postgres.url, `begin read write; ${change}; commit`);
  await asSuperuser(
    postgres.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()",
  );
}

test("a server that has become read-only: mail is deferred, never accepted; what only reads goes on", async () => {
  const { installation, sink } = fixture;
  const load = fixture.sendUntilStopped("unwritten");
  await load.acceptedMore(50);
  const requests = await apiRequests(fixture);
  await setReadOnly("= on");
  // A message of each session may have its 250 on the way.
  const acceptedBefore = load.accepted.length + 20;
  const api = new ApiLoad({ url: installation.url, requests });
  try {
    await load.refusedMore(40);
    await eventually(() => expect(api.outcomes.length).toBeGreaterThanOrEqual(2 * requests.length));
    expect(load.accepted.slice(acceptedBefore)).toEqual([]);
  } finally {
    await api.stop();
    await setReadOnly("to default");
  }
  await load.acceptedMore(50);
  await load.stop();
  const { outcomes } = api;
  expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
  const writes = outcomes.filter(({ request }) => /^(PATCH|PUT)/.test(request));
  expect(writes.filter(({ status, retryAfterS }) => status !== 503 || !retryAfterS)).toEqual([]);
  const reads = outcomes.filter(({ request }) => request.startsWith("GET"));
  expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
  await expectNothingLost(fixture);
  // Unlike after a crash, what came of each commit is known: of what was deferred there is nothing at all.
  const left = sink.messages.map(({ bytes }) => bytes.toString("latin1"));
  expect(load.refused.filter(({ marker }) => left.some((message) => message.includes(`${marker}\r\n`)))).toEqual([]);
}, 300_000);

test("a primary lost under load: its synchronous replica is promoted, and nothing of what it had answered is lost", async () => {
  const load = fixture.sendUntilStopped("failed-over");
  await postgres.synchronise();
  await load.acceptedMore(100);
  await postgres.crash();
  await load.refusedMore(40);
  await postgres.promote();
  await load.acceptedMore(100);
  await load.stop();
  expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
  await expectNothingLost(fixture);
}, 300_000);

interface DeadEvent {
  id: string;
  service: string;
  topic: string;
  error: string;
}

test("what cannot be digested is set aside, the rest flows, and the command brings it back once the cause is mended", async () => {
  const { installation, rest, browsable } = fixture;
  await asSuperuser(
    postgres.url,
    "alter table mailbox.email add constraint no_poison check (sender <> 'poison@example.com') not valid",
  );
  const envelope = { from: "poison@example.com", to: browsable.proxyAddress };
  const raw = "From: Poison <poison@example.com>\r\nSubject: poison\r\n\r\nDrink me.\r\n";
  await sendMail(installation.smtpPort, { envelope, raw });
  await asSuperuser(
    postgres.url,
    `insert into ingress.outbox (event_id, topic, key, payload, headers, occurred_at)
     values (gen_random_uuid(), 'mail.accepted', 'poison', '\\xff', '{}', now())`,
  );
  const load = fixture.sendUntilStopped("healthy");
  await load.acceptedMore(100);
  await load.stop();
  await eventually(async () => expect((await countPending(postgres.url))?.dead).toBe(4), { restMs: 250 });
  const dead = await admin<DeadEvent[]>(installation, "dead", "list");
  expect(dead.map(({ service }) => service).sort()).toEqual(["bindings", "forwarder", "mailbox", "mailbox"]);
  expect(new Set(dead.map(({ topic }) => topic))).toEqual(new Set(["mail.accepted"]));
  await asSuperuser(postgres.url, "alter table mailbox.email drop constraint no_poison");
  expect(await admin(installation, "dead", "resend", "--all")).toMatchObject({ missing: [] });
  await eventually(async () => expect((await countPending(postgres.url))?.dead).toBe(3), { restMs: 250 });
  await eventually(async () => {
    const links = await rest.get(`/api/v1/received-emails-links/${browsable.id}`);
    const subjects = (links.body?.["data"] ?? []).map((link) => link["attributes"]);
    expect(subjects).toContainEqual(expect.objectContaining({ subject: "poison", is_processed: true }));
  });
  const incurable = await admin<DeadEvent[]>(installation, "dead", "list");
  expect(incurable.map(({ service }) => service).sort()).toEqual(["bindings", "forwarder", "mailbox"]);
}, 300_000);
