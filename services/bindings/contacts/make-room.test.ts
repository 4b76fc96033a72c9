import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { firstIdAt } from "../../platform/ids.ts";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";
import { makeRoom } from "./make-room.ts";

let bindings: BindingsUnderTest;
beforeAll(async () => {
  bindings = await startBindings();
});
afterAll(() => bindings.stop());

const hourMs = 60 * 60 * 1_000;
const quota = 100;
let count = 0;

interface Given {
  address: string;
  hoursAgo: number;
  received?: number;
  isKept?: boolean;
}

/** The addresses left of an account's contacts, where its quota is 100: 95 of those that may go. */
async function leftOf(given: readonly Given[]): Promise<string[]> {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, realAddresses: ["me@home.example"], answers: true });
  for (const { address, hoursAgo, received = 1, isKept = false } of given) {
    const at = new Date(Date.now() - hoursAgo * hourMs + count);
    count += 1;
    await bindings.db.query(
      `insert into contact (id, owner_id, binding_id, address, address_key, token, made_by, received, last_seen_at, kept_by_owner)
       values ($1, $2, $3, $4, $4, $5, 'mail', $6, $7, $8)`,
      [firstIdAt(at), ownerId, binding.id, address, `token ${count}`, received, at, isKept],
    );
  }
  await makeRoom(bindings.db, [{ id: firstIdAt(new Date(0)), ownerId }], quota);
  const { rows } = await bindings.db.query<{ address: string }>(
    "select address from contact where owner_id = $1 order by id",
    [ownerId],
  );
  return rows.map(({ address }) => address);
}

const several = (number: number, address: (at: number) => string, others: Omit<Given, "address">): Given[] =>
  Array.from({ length: number }, (_, at) => ({ ...others, address: address(at) }));

test("those of today beyond a few make room for those from before, of each organisation the newest first", async () => {
  const before = several(90, (at) => `old${at}@club.example`, { hoursAgo: 48 });
  const flood = several(60, (at) => `x@n${at}.stranger.example`, { hoursAgo: 2 });
  const newcomer = { address: "new@shop.example", hoursAgo: 1 };
  const left = await leftOf([...before, ...flood, newcomer]);
  expect(left).toHaveLength(95);
  expect(left.filter((address) => address.startsWith("old"))).toHaveLength(90);
  expect(left).toContain("new@shop.example");
  expect(left).toContain("x@n0.stranger.example");
  expect(left).not.toContain("x@n59.stranger.example");
});

test("of a flood at ever new domains who was seen last stays for longest", async () => {
  const before = several(80, (at) => `old${at}@club.example`, { hoursAgo: 48 });
  const left = await leftOf([...before, ...several(60, (at) => `x@stranger${at}.example`, { hoursAgo: 2 })]);
  const flood = left.slice(80);
  expect(left.slice(0, 80).every((address) => address.startsWith("old"))).toBe(true);
  expect(flood).toHaveLength(15);
  expect(flood).toContain("x@stranger0.example");
  expect(flood).toContain("x@stranger59.example");
  expect(flood).not.toContain("x@stranger20.example");
});

test("who was only named goes before who wrote, and who wrote again on another day last", async () => {
  const again = several(40, (at) => `again${at}@club.example`, { hoursAgo: 400, received: 2 });
  const once = several(60, (at) => `once${at}@club.example`, { hoursAgo: 40 });
  const named = several(60, (at) => `named${at}@club.example`, { hoursAgo: 30, received: 0 });
  const left = await leftOf([...again, ...once, ...named]);
  expect(left.filter((address) => address.startsWith("again"))).toHaveLength(40);
  expect(left.filter((address) => address.startsWith("once"))).toHaveLength(55);
});

test("who was named by the owner, or changed otherwise, makes no room", async () => {
  const kept = several(5, (at) => `kept${at}@club.example`, { hoursAgo: 400, received: 0, isKept: true });
  const others = several(110, (at) => `other${at}@club.example`, { hoursAgo: 40 });
  const left = await leftOf([...kept, ...others]);
  expect(left).toHaveLength(100);
  expect(left.slice(0, 5)).toEqual(kept.map(({ address }) => address));
});

test("a contact that mail made is its owner's once its owner has named it or asked for it", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, realAddresses: ["me@home.example"], answers: true });
  const bindingId = binding.id;
  const addresses = ["named@shop.example", "asked@shop.example", "other@shop.example"];
  const mailboxes = addresses.map((address) => ({ address, name: "" }));
  await bindings.client.reverseAddresses({ bindingId, receivedAt: new Date().toISOString(), mailboxes });
  const { contacts } = await bindings.client.contacts({ ownerId, bindingId });
  const id = contacts.find(({ address }) => address === addresses[0])?.id ?? "";
  await bindings.client.updateContact({ ownerId, id, name: "Named" });
  expect(await bindings.client.createContact({ ownerId, bindingId, address: "asked@shop.example" })).toMatchObject({
    existed: true,
  });
  const { rows } = await bindings.db.query<{ address: string }>(
    "select address from contact where binding_id = $1 and kept_by_owner order by address desc",
    [bindingId],
  );
  expect(rows.map(({ address }) => address)).toEqual(addresses.slice(0, 2));
});
