import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import {
  DeliveryDeferredSchema,
  DeliverySettledSchema,
  Outcome,
} from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { JobClaims } from "../../platform/jobs/job-claims.ts";
import { pruneSettled } from "../../platform/jobs/prune.ts";
import { removeAccounts, removeLateArrivals } from "../accounts/closed-accounts.ts";
import { classifyReply } from "../replies/classify-reply.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { incoming, mailAccepted } from "../test-support/event.ts";
import { deliveryTable } from "./delivery.ts";
import { forwardsOf, insertForwards } from "./insert-forwards.ts";
import { ownedDeliveries, retryDeliveries, retryDelivery } from "./owned-deliveries.ts";
import { pruneBatch } from "./prune-work.ts";
import { type DeliveryResult, recordDeliveryResults } from "./record-results.ts";

const nothing = { keys: [], atLimit: [[], []] };
let db: TestDatabase;
const workerId = newId();

beforeAll(async () => {
  db = await forwarderDatabase();
});
beforeEach(() => db.query("truncate delivery, outbox cascade"));
afterAll(() => db.dispose());

async function claimed(email = mailAccepted(["a@x.example"])): Promise<{ email: typeof email; id: string }> {
  await db.tx((tx) => insertForwards(tx, forwardsOf([incoming(email)])));
  const [delivery] = await new JobClaims(
    db,
    deliveryTable({ all: 10, perDomain: 10, perOwner: 10 }, 60),
    workerId,
  ).claim(1, nothing);
  return { email, id: delivery?.id ?? "" };
}

function result(jobId: string, differences: Partial<DeliveryResult> = {}): DeliveryResult {
  return {
    jobId,
    workerId,
    state: "delivered",
    attempt: { at: new Date().toISOString(), response: "250 ok", remote: "mx" },
    retryAfterS: 0,
    isAnswerable: null,
    originalFingerprint: null,
    wasHandedOver: true,
    reply: null,
    ...differences,
  };
}

async function published(): Promise<{ topic: string; payload: Buffer }[]> {
  return (await db.query<{ topic: string; payload: Buffer }>("select topic, payload from outbox order by id")).rows;
}

describe("a result", () => {
  test("is recorded once and told once, however often it comes", async () => {
    const { email, id } = await claimed();
    await recordDeliveryResults(db, [result(id)]);
    await recordDeliveryResults(db, [result(id), result(newId())]);
    const [first, ...more] = await published();
    expect(more).toEqual([]);
    expect(first?.topic).toBe("delivery.settled");
    expect(fromBinary(DeliverySettledSchema, first?.payload ?? Buffer.of())).toMatchObject({
      emailId: email.emailId,
      targetId: email.targets[0]?.addressId,
      target: "a@x.example",
      outcome: Outcome.DELIVERED,
      response: "250 ok",
      attemptCount: 1,
    });
    expect(await ownedDeliveries(db, email.ownerId, [email.emailId])).toMatchObject([
      { state: "delivered", nextAttemptAt: null, attempts: [{ response: "250 ok" }] },
    ]);
  });

  test("that is a deferral names the next attempt, and its own", async () => {
    const { email, id } = await claimed();
    await recordDeliveryResults(db, [
      result(id, {
        state: "waiting",
        retryAfterS: 600,
        attempt: { at: new Date().toISOString(), response: "451 later", remote: "mx" },
        reply: classifyReply("451 later"),
      }),
    ]);
    const [event] = await published();
    expect(event?.topic).toBe("delivery.deferred");
    const { attemptCount, reason, deferredAt, nextAttemptAt } = fromBinary(
      DeliveryDeferredSchema,
      event?.payload ?? Buffer.of(),
    );
    expect([attemptCount, reason]).toEqual([1, "server-trouble"]);
    expect(Number(nextAttemptAt?.seconds) - Number(deferredAt?.seconds)).toBeGreaterThan(590);
    expect(await ownedDeliveries(db, email.ownerId, [email.emailId])).toMatchObject([
      { state: "waiting", nextAttemptAt: expect.any(String), attempts: [{ response: "451 later" }] },
    ]);
    expect(
      await new JobClaims(db, deliveryTable({ all: 10, perDomain: 10, perOwner: 10 }, 60), workerId).claim(1, nothing),
    ).toEqual([]);
  });

  test("without an attempt counts for nothing and is told to nobody", async () => {
    const { email, id } = await claimed();
    await recordDeliveryResults(db, [result(id, { state: "waiting", attempt: null })]);
    expect(await published()).toEqual([]);
    expect(await ownedDeliveries(db, email.ownerId, [email.emailId])).toMatchObject([
      { state: "waiting", attempts: [] },
    ]);
    expect(
      await new JobClaims(db, deliveryTable({ all: 10, perDomain: 10, perOwner: 10 }, 60), workerId).claim(1, nothing),
    ).toMatchObject([{ attemptCount: 0 }]);
  });

  test("is not a deferral when another worker has taken the delivery over, but may be final", async () => {
    const { id } = await claimed();
    await db.query("update delivery set worker_id = $1", [newId()]);
    await recordDeliveryResults(db, [result(id, { state: "waiting", retryAfterS: 600 })]);
    expect(await published()).toEqual([]);
    await recordDeliveryResults(db, [result(id)]);
    expect(await published()).toHaveLength(1);
  });

  test("keeps an answer of any characters", async () => {
    const { email, id } = await claimed();
    const response = `550 "x' \\ \u2028 ${"ü".repeat(300)}`;
    await recordDeliveryResults(db, [
      result(id, { state: "given_up", attempt: { at: new Date().toISOString(), response, remote: "mx" } }),
    ]);
    expect(await ownedDeliveries(db, email.ownerId, [email.emailId])).toMatchObject([
      { state: "given_up", attempts: [{ response }] },
    ]);
  });
});

describe("the owner", () => {
  test("alone sees deliveries and tries them again, given up or waiting", async () => {
    const { email, id } = await claimed();
    await recordDeliveryResults(db, [result(id, { state: "given_up" })]);
    expect(await ownedDeliveries(db, newId(), [email.emailId])).toEqual([]);
    expect(await ownedDeliveries(db, newId(), [email.emailId, newId()])).toEqual([]);
    for (const [owner, emailId, address] of [
      [newId(), email.emailId, "a@x.example"],
      [email.ownerId, newId(), "a@x.example"],
      [email.ownerId, email.emailId, "b@x.example"],
      [email.ownerId, email.emailId, "'; drop table delivery"],
    ] as const) {
      await expect(retryDelivery(db, owner, emailId, address)).rejects.toMatchObject({ kind: "NotFound" });
    }
    await retryDelivery(db, email.ownerId, email.emailId, "A@X.example");
    expect(
      await new JobClaims(db, deliveryTable({ all: 10, perDomain: 10, perOwner: 10 }, 60), workerId).claim(1, nothing),
    ).toMatchObject([{ id, attemptCount: 1 }]);
  });

  test("tries all that failed of several emails again at once, and nobody else's", async () => {
    const { email, id } = await claimed();
    await recordDeliveryResults(db, [result(id, { state: "given_up" })]);
    expect(await retryDeliveries(db, newId(), [email.emailId])).toBe(0);
    expect(await retryDeliveries(db, email.ownerId, [email.emailId, newId(), "'"])).toBe(1);
    expect(await ownedDeliveries(db, email.ownerId, [email.emailId])).toMatchObject([{ state: "waiting" }]);
  });

  test("who closes the account leaves nothing behind, and what waited is cancelled", async () => {
    const { email } = await claimed(mailAccepted(["a@x.example", "b@x.example"]));
    const { email: other } = await claimed();
    for (let round = 0; round < 2; round++) await db.tx((tx) => removeAccounts(tx, [email.ownerId]));
    const events = await published();
    expect(events.map(({ payload }) => fromBinary(DeliverySettledSchema, payload).outcome)).toEqual([
      Outcome.CANCELLED,
      Outcome.CANCELLED,
    ]);
    expect(await ownedDeliveries(db, email.ownerId, [email.emailId])).toEqual([]);
    expect(await ownedDeliveries(db, other.ownerId, [other.emailId])).toHaveLength(1);
  });

  test("who closes the account leaves nothing of the mail either that was on its way", async () => {
    const { email } = await claimed();
    await db.tx((tx) => removeAccounts(tx, [email.ownerId]));
    const { email: late } = await claimed(mailAccepted(["a@x.example"], { ownerId: email.ownerId }));
    const { email: other } = await claimed();
    await removeLateArrivals(db);
    expect(await ownedDeliveries(db, email.ownerId, [late.emailId])).toEqual([]);
    const cancelled = (await published()).map(({ payload }) => fromBinary(DeliverySettledSchema, payload).emailId);
    expect(cancelled).toEqual([email.emailId, late.emailId]);
    expect(await ownedDeliveries(db, other.ownerId, [other.emailId])).toHaveLength(1);
    // Nothing comes any more once the bus and the inbox have forgotten.
    await db.query("update closed_account set closed_at = now() - interval '31 days'");
    await removeLateArrivals(db);
    expect((await db.query("select from closed_account")).rowCount).toBe(0);
  });
});

test("what was settled long ago is removed, what waits never", async () => {
  const old = "018f0000-0000-7000-8000-000000000000";
  const { id: settled } = await claimed();
  const { id: waiting } = await claimed();
  await recordDeliveryResults(db, [result(settled)]);
  expect(await pruneSettled(db, { name: "delivery", key: "id" }, 14)).toBe(false);
  await db.query(
    "update delivery set id = case when id = $1 then $3::uuid else $4::uuid end, settled_at = settled_at - interval '15 days' where id in ($1, $2)",
    [settled, waiting, old, old.replace(/0$/, "1")],
  );
  await pruneSettled(db, { name: "delivery", key: "id" }, 14);
  expect((await db.query("select state from delivery")).rows).toEqual([{ state: "waiting" }]);
});

test("answers, complaints and named addresses whose time is over are removed, however many", async () => {
  const many = "from generate_series(1, 10001)";
  await db.query(`insert into answer (email_id, owner_id, content, state, received_at)
    select gen_random_uuid(), gen_random_uuid(), '{}', 'sent', now() - interval '15 days' ${many}`);
  await db.query(`insert into complaint (delivery_id, email_id, owner_id, address_id, is_answer, feedback_type, reporter, complained_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), true, 'abuse', '', now() - interval '15 days' ${many}`);
  await db.query(`insert into named_real_address (binding_id, owner_id, noted_at)
    select gen_random_uuid(), gen_random_uuid(), now() - interval '91 days' ${many}`);
  await db.query("insert into named_real_address (binding_id, owner_id) values (gen_random_uuid(), gen_random_uuid())");
  while (await pruneBatch(db, 14));
  const left = `select (select count(*) from answer) as answers, (select count(*) from complaint) as complaints,
                       (select count(*) from named_real_address) as named`;
  expect((await db.query(left)).rows).toEqual([{ answers: 0, complaints: 0, named: 1 }]);
});
