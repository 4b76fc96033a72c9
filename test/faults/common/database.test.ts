import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { admin } from "../../support/admin.ts";
import { ApiLoad } from "../../support/api-load.ts";
import { asSuperuser } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { type OwnPostgres, ownPostgres } from "../../support/own-postgres.ts";
import { sendMail } from "../../support/send-mail.ts";
import { apiRequests, notReady } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type Scene, setScene } from "../fault-installation.ts";
import { refusedWrites } from "../refused-writes.ts";
import { countPending } from "../stored-state.ts";

let postgres: OwnPostgres;
let scene: Scene;

beforeAll(async () => {
  postgres = await ownPostgres();
  scene = await setScene({ DATABASE_URL: postgres.url });
});
afterEach(() => scene.calm());
afterAll(async () => {
  await scene?.dispose();
  await postgres?.dispose();
});

test("PostgreSQL restarted under load: 451 and 503 meanwhile, and everything goes on by itself", async () => {
  const { installation } = scene;
  const load = scene.pour("restarted");
  await load.acceptedMore(100);
  const requests = await apiRequests(scene);
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
  await expectNothingLost(scene);
}, 300_000);

test.each(refusedWrites)(
  "$name: mail is deferred, never accepted; what only reads goes on",
  async ({ begin, end }) => {
    const { installation, sink } = scene;
    const load = scene.pour("unwritten");
    await load.acceptedMore(50);
    const requests = await apiRequests(scene);
    await begin(postgres.url);
    // A message of each session may have its 250 on the way.
    const acceptedBefore = load.accepted.length + 20;
    const api = new ApiLoad({ url: installation.url, requests });
    try {
      await load.refusedMore(40);
      await eventually(() => expect(api.outcomes.length).toBeGreaterThanOrEqual(2 * requests.length));
      expect(load.accepted.slice(acceptedBefore)).toEqual([]);
    } finally {
      await api.stop();
      await end(postgres.url);
    }
    await load.acceptedMore(50);
    await load.stop();
    const { outcomes } = api;
    expect(load.refused.filter(({ reply }) => !reply.startsWith("451 4.3.0 "))).toEqual([]);
    const writes = outcomes.filter(({ request }) => /^(PATCH|PUT)/.test(request));
    expect(writes.filter(({ status, retryAfterS }) => status !== 503 || !retryAfterS)).toEqual([]);
    const reads = outcomes.filter(({ request }) => request.startsWith("GET"));
    expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
    await expectNothingLost(scene);
    // Unlike after a crash, what came of each commit is known: of what was deferred there is nothing at all.
    const left = sink.messages.map(({ bytes }) => bytes.toString("latin1"));
    expect(load.refused.filter(({ marker }) => left.some((message) => message.includes(`${marker}\r\n`)))).toEqual([]);
  },
  300_000,
);

interface DeadEvent {
  id: string;
  service: string;
  topic: string;
  error: string;
}

test("what cannot be digested is set aside, the rest flows, and the command brings it back once the cause is mended", async () => {
  const { installation, rest, browsed } = scene;
  await asSuperuser(
    postgres.url,
    "alter table mailbox.email add constraint no_poison check (sender <> 'poison@example.com') not valid",
  );
  const envelope = { from: "poison@example.com", to: browsed.proxyAddress };
  const raw = "From: Poison <poison@example.com>\r\nSubject: poison\r\n\r\nDrink me.\r\n";
  await sendMail(installation.smtpPort, { envelope, raw });
  await asSuperuser(
    postgres.url,
    `insert into ingress.outbox (event_id, topic, key, payload, headers, occurred_at)
     values (gen_random_uuid(), 'mail.accepted', 'poison', '\\xff', '{}', now())`,
  );
  const load = scene.pour("healthy");
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
    const links = await rest.get(`/api/v1/received-emails-links/${browsed.id}`);
    const subjects = (links.body?.["data"] ?? []).map((link) => link["attributes"]);
    expect(subjects).toContainEqual(expect.objectContaining({ subject: "poison", is_processed: true }));
  });
  const incurable = await admin<DeadEvent[]>(installation, "dead", "list");
  expect(incurable.map(({ service }) => service).sort()).toEqual(["bindings", "forwarder", "mailbox"]);
}, 300_000);
