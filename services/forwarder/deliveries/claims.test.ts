import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { JobClaims } from "../../platform/jobs/job-claims.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { incoming, mailAccepted } from "../test-support/event.ts";
import { deliveryTable } from "./delivery.ts";
import { forwardsOf, insertForwards } from "./insert-forwards.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await forwarderDatabase();
});
beforeEach(() => db.query("truncate delivery cascade"));
afterAll(() => db.dispose());

const schedule = (addresses: readonly string[]) =>
  db.tx((tx) => insertForwards(tx, forwardsOf([incoming(mailAccepted(addresses))])));
const addressesOf = (deliveries: readonly { address: string }[]) => deliveries.map(({ address }) => address).sort();
const worker = () => new JobClaims(db, deliveryTable({ all: 100, perDomain: 100, perOwner: 100 }, 60), newId());
const nothing = { keys: [], atLimit: [[], []] };

test("an event seen again adds nothing, and each email has one delivery to each address", async () => {
  const email = mailAccepted(["a@x.example", "b@x.example"]);
  const targetless = mailAccepted([]);
  for (const emails of [[email, targetless], [email], [targetless]])
    await db.tx((tx) => insertForwards(tx, forwardsOf(emails.map(incoming))));
  expect(addressesOf(await worker().claim(10, nothing))).toEqual(["a@x.example", "b@x.example"]);
});

test("what a rule refused has its message where a release that knows no such refusals does not find it to send", async () => {
  const email = mailAccepted([], { rule: { ruleId: newId(), effects: ["refused"] } });
  await db.tx((tx) => insertForwards(tx, forwardsOf([incoming(email)])));
  expect(await worker().claim(1, nothing)).toMatchObject([{ isRefused: true, rawId: email.rawId }]);
  expect((await db.query("select raw_id from delivery")).rows).toEqual([{ rawId: null }]);
});

test("workers at the same time claim each delivery once, the longest due first", async () => {
  await schedule(Array.from({ length: 40 }, (_, index) => `${index}@x.example`));
  const claims = await Promise.all(Array.from({ length: 4 }, () => worker().claim(15, nothing)));
  const addresses = claims.flatMap(addressesOf);
  expect(addresses).toHaveLength(40);
  expect(new Set(addresses).size).toBe(40);
});

test("a claimed delivery is taken over when its lease ends, not before, and never by who still works on it", async () => {
  await schedule(["a@x.example"]);
  const dead = worker();
  const [claimed] = await dead.claim(1, nothing);
  expect(await worker().claim(1, nothing)).toEqual([]);
  await db.query("update delivery set lease_until = now() - interval '1 second'");
  expect(await dead.claim(1, { keys: [claimed?.id ?? ""], atLimit: [[], []] })).toEqual([]);
  expect(addressesOf(await worker().claim(1, nothing))).toEqual(["a@x.example"]);
});

test("a lease is lengthened by its holder alone", async () => {
  await schedule(["a@x.example"]);
  const holder = worker();
  const [claimed] = await holder.claim(1, nothing);
  await db.query("update delivery set lease_until = now() - interval '1 second'");
  await worker().extend(claimed ? [claimed] : []);
  await holder.extend(claimed ? [claimed] : []);
  expect(await worker().claim(1, nothing)).toEqual([]);
});

test("domains that are full are left alone, and what is given back keeps its place", async () => {
  await schedule(["a@full.example", "b@free.example"]);
  const claims = worker();
  const claimed = await claims.claim(10, { keys: [], atLimit: [["full.example"], []] });
  expect(addressesOf(claimed)).toEqual(["b@free.example"]);
  await claims.release(claimed);
  expect(addressesOf(await worker().claim(10, nothing))).toEqual(["a@full.example", "b@free.example"]);
});
