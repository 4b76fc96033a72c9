import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { JobClaims } from "../../platform/jobs/job-claims.ts";
import { pruneSettled } from "../../platform/jobs/prune.ts";
import type { CallResult } from "../calls/call.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { mailStored } from "../test-support/event.ts";
import { callbackTable } from "./callback.ts";
import { callbacksOf, insertCallbacks } from "./insert-callbacks.ts";
import { retryCallbacks } from "./owned-callbacks.ts";
import { recordCallbackResults } from "./record-results.ts";

const nothing = { keys: [], atLimit: [[], []] };
const worker = (id = newId(), leaseS = 60) => new JobClaims(db, callbackTable(100, 100, leaseS), id);
let db: TestDatabase;
beforeAll(async () => {
  db = await webhookDatabase();
});
afterEach(async () => {
  await db.query("truncate callback, switch_off, outbox");
});
afterAll(() => db.dispose());

async function store(...urls: string[]) {
  const events = urls.map((callbackUrl) => mailStored({ callbackUrl }));
  await db.tx((tx) => insertCallbacks(tx, callbacksOf(events)));
  return events.map(({ message }) => message);
}

function result(jobId: string, workerId: string, differences: Partial<CallResult> = {}) {
  const attempt = { at: new Date().toISOString(), status: 500, durationMs: 3, failure: "The target answered 500." };
  return {
    jobId,
    workerId,
    state: "waiting" as const,
    attempt,
    response: "500",
    url: "",
    host: "",
    retryAfterS: 0,
    isTargetGone: false,
    ...differences,
  };
}

async function states() {
  const { rows } = await db.query<{ state: string; attempts: number }>(
    "select state, jsonb_array_length(attempts) as attempts from callback order by email_id",
  );
  return rows.map(({ state, attempts }) => `${state} ${attempts}`);
}

async function published(): Promise<string[]> {
  const { rows } = await db.query<{ topic: string }>("select topic from outbox order by id");
  return rows.map(({ topic }) => topic);
}

test("two workers never hold the same callback, until its lease has ended", async () => {
  await store(...Array<string>(20).fill("http://a.example/"));
  const [one, other] = [worker(), worker()];
  const claimed = await Promise.all([one.claim(15, nothing), other.claim(15, nothing)]);
  const ids = claimed.flat().map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  expect(await one.claim(5, nothing)).toEqual([]);
  await db.query("update callback set lease_until = now() - interval '1 second' where email_id = $1", [ids[0]]);
  expect((await other.claim(5, nothing)).map(({ id }) => id)).toEqual([ids[0]]);
});

test("full hosts and owners are passed over, and what is given back is there at once", async () => {
  const [a, b, c] = await store("http://a.example/", "http://b.example/", "http://c.example:8080/");
  const claims = worker();
  const claimed = await claims.claim(5, { keys: [], atLimit: [["a.example"], [b?.ownerId ?? ""]] });
  expect(claimed.map(({ id, host }) => [id, host])).toEqual([[c?.emailId, "c.example:8080"]]);
  await claims.release(claimed);
  expect((await claims.claim(5, { ...nothing, keys: [a?.emailId ?? ""] })).map(({ id }) => id).sort()).toEqual(
    [b?.emailId, c?.emailId].sort(),
  );
});

test("a success counts whoever made it, a failure of a lost lease decides nothing, and both attempts are kept", async () => {
  await store("http://a.example/");
  const [former, holder] = [newId(), newId()];
  const [callback] = await worker(former, 0).claim(1, nothing);
  const emailId = callback?.id ?? "";
  await worker(holder).claim(1, nothing);
  await recordCallbackResults(db, [result(emailId, former)]);
  expect(await states()).toEqual(["waiting 1"]);
  expect(await published()).toEqual([]);
  expect(await worker(former).claim(1, nothing)).toEqual([]);
  await recordCallbackResults(db, [result(emailId, former, { state: "delivered" })]);
  await recordCallbackResults(db, [result(emailId, holder)]);
  expect(await states()).toEqual(["delivered 3"]);
  expect(await published()).toEqual(["delivery.settled"]);
});

test("a batch is recorded in one transaction, and a release without an attempt publishes nothing", async () => {
  const emails = await store("http://a.example/", "http://b.example/", "http://c.example/");
  const holder = newId();
  await worker(holder).claim(3, nothing);
  const [a = "", b = "", c = ""] = emails.map(({ emailId }) => emailId);
  await recordCallbackResults(db, [
    result(a, holder, { state: "given_up" }),
    result(b, holder, { attempt: null, response: "", retryAfterS: 60 }),
    result(c, holder, { retryAfterS: 60 }),
  ]);
  expect(await states()).toEqual(["given_up 1", "waiting 0", "waiting 1"]);
  expect((await published()).sort()).toEqual(["delivery.deferred", "delivery.settled"]);
  expect(await worker(holder).claim(3, nothing)).toEqual([]);
});

test("what was settled long ago goes, and nothing that waits", async () => {
  const old = "01800000-0000-7000-8000-000000000000";
  const events = [old, old.replace(/0$/, "1"), newId()].map((emailId) => mailStored({ emailId }));
  await db.tx((tx) => insertCallbacks(tx, callbacksOf(events)));
  await db.query(
    "update callback set state = 'delivered', settled_at = now() - interval '31 days' where email_id = $1",
    [old],
  );
  expect(await pruneSettled(db, { name: "callback", key: "email_id" }, 30)).toBe(false);
  expect(await states()).toEqual(["waiting 0", "waiting 0"]);
});

test("of many attempts the exchanges of the last five are kept", async () => {
  const [message] = await store("http://a.example/");
  const { emailId = "" } = message ?? {};
  const exchange = { requestHeaders: {}, requestBytes: 1, responseHeaders: {}, responseBody: "x" };
  const attempt = { at: new Date().toISOString(), status: 500, durationMs: 3, failure: "no", exchange };
  for (let at = 0; at < 7; at += 1) {
    const holder = newId();
    await worker(holder).claim(1, nothing);
    await recordCallbackResults(db, [result(emailId, holder, { attempt })]);
  }
  const { rows } = await db.query<{ kept: boolean }>(
    "select attempt ? 'exchange' as kept from callback, jsonb_array_elements(attempts) with ordinality as each (attempt, nth) order by nth",
  );
  expect(rows.map(({ kept }) => kept)).toEqual([false, false, true, true, true, true, true]);
});

test("what was given up is tried again, what had 50 attempts and what others own excepted", async () => {
  const [owned, exhausted, others] = await store("http://a.example/", "http://a.example/", "http://a.example/");
  await db.query("update callback set state = 'given_up', owner_id = $1 where email_id <> $2", [
    owned?.ownerId,
    others?.emailId,
  ]);
  await db.query(
    "update callback set attempts = (select jsonb_agg(nth) from generate_series(1, 50) as nth) where email_id = $1",
    [exhausted?.emailId],
  );
  const asked = [owned, exhausted, others].flatMap((each) => each?.emailId ?? []);
  expect(await retryCallbacks(db, owned?.ownerId ?? "", [...asked, "no id"])).toBe(1);
});
