import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings({});
});

afterAll(() => bindings.stop());

async function answering() {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, realAddresses: ["me@home.example"], answers: true });
  return { ownerId, binding, bindingId: binding.id };
}

/** A moment after all that was made before, as messages come at. */
async function arrival(): Promise<string> {
  await setTimeout(2);
  return new Date().toISOString();
}

/** As if its contacts had been made long ago. */
async function makeOld(bindingId: string): Promise<void> {
  await bindings.db.query(
    "update contact set id = overlay(id::text placing '00000000' from 1)::uuid where binding_id = $1",
    [bindingId],
  );
}

const mailboxesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ address: `${name}${at}@list.example`, name: `${name} ${at}` }));

test("addresses of a message become contacts in one call: the first 50 at most, at each attempt, and not the proxy address", async () => {
  const { bindingId, binding, ownerId } = await answering();
  const own = [binding.proxyAddress, binding.proxyAddress.replace("@", "+tag@")];
  const mailboxes = [
    ...own.map((address) => ({ address, name: "" })),
    ...mailboxesOf("n", 60),
    { address: "no address", name: "" },
  ];
  // By a clock that is ahead of ours.
  const receivedAt = new Date(Date.now() + 1_000).toISOString();
  const asked = { bindingId, receivedAt, mailboxes };
  const mapped = await bindings.client.reverseAddresses(asked);
  expect(mapped.map(({ address }) => address)).toEqual(mailboxes.map(({ address }) => address));
  expect(mapped.slice(0, 2)).toMatchObject(own.map(() => ({ isOwn: true, reverseAddress: null })));
  const reverse = mapped.slice(2).map(({ reverseAddress }) => reverseAddress);
  expect(reverse.filter((address) => address !== null)).toHaveLength(50);
  expect(reverse.slice(50)).toEqual(Array(11).fill(null));
  expect(await bindings.client.reverseAddresses(asked)).toEqual(mapped);
  expect((await bindings.client.contacts({ ownerId, bindingId })).totalCount).toBe(50);
});

test("contacts that were known when a message came are not among its 50, wherever it names them, and a later message has 50 of its own", async () => {
  const { bindingId, ownerId } = await answering();
  const map = async (receivedAt: string, ...mailboxes: { address: string; name: string; invitesReplies?: boolean }[]) =>
    (await bindings.client.reverseAddresses({ bindingId, receivedAt, mailboxes })).map((each) => each.reverseAddress);
  const known = mailboxesOf("known", 45);
  const [first, last] = [known.slice(0, 40), known.slice(40)];
  const before = await map(await arrival(), ...known);
  await makeOld(bindingId);
  const message = [...first, ...mailboxesOf("new", 60), ...last.map((each) => ({ ...each, invitesReplies: true }))];
  const receivedAt = await arrival();
  const mapped = await map(receivedAt, ...message);
  expect([...mapped.slice(0, 40), ...mapped.slice(-5)]).toEqual(before);
  expect(mapped.slice(40, 90).filter((address) => address === null)).toEqual([]);
  expect(mapped.slice(90, 100)).toEqual(Array(10).fill(null));
  await arrival();
  expect(await map(receivedAt, ...message)).toEqual(mapped);
  const { rows } = await bindings.db.query("select from contact where binding_id = $1 and invites_replies", [
    bindingId,
  ]);
  expect(rows).toHaveLength(5);
  await makeOld(bindingId);
  expect(await map(await arrival(), ...message)).not.toContain(null);
  expect((await bindings.client.contacts({ ownerId, bindingId })).totalCount).toBe(105);
});
