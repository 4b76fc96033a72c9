import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings({ QUOTA_BINDINGS: "7" });
});

afterAll(() => bindings.stop());

async function accountWith(...names: string[]) {
  const ownerId = bindings.account();
  for (const name of names) {
    await bindings.client.create({
      ownerId,
      proxyAddress: `${name}.${ownerId}@${serviceDomain}`,
      description: `for ${name}`,
      realAddresses: [`to-${name}@example.org`],
    });
  }
  const namesOf = ({ bindings: page }: { bindings: { proxyAddress: string }[] }) =>
    page.map(({ proxyAddress }) => proxyAddress.split(".")[0]);
  return { ownerId, namesOf };
}

test("all of an account's, newest first or oldest first, and nobody else's", async () => {
  const { ownerId, namesOf } = await accountWith("one", "two", "three");
  const page = await bindings.client.list({ ownerId });
  expect(namesOf(page)).toEqual(["three", "two", "one"]);
  expect(page).toMatchObject({ totalCount: 3, nextCursor: null, used: 3, available: 7 });
  expect(namesOf(await bindings.client.list({ ownerId, sort: "asc" }))).toEqual(["one", "two", "three"]);
  expect(await bindings.client.list({ ownerId: bindings.account() })).toEqual({
    bindings: [],
    totalCount: 0,
    nextCursor: null,
    used: 0,
    available: 7,
  });
});

test.each(["asc", "desc"] as const)(
  "page after page gives each once, %s, whatever is made or removed meanwhile",
  async (sort) => {
    const { ownerId, namesOf } = await accountWith("a", "b", "c", "d", "e");
    const first = await bindings.client.list({ ownerId, sort, first: 2 });
    expect(first).toMatchObject({ totalCount: 5, nextCursor: expect.any(String) });
    await bindings.client.remove({ ownerId, id: first.bindings[1]?.id ?? "" });
    const second = await bindings.client.list({ ownerId, sort, first: 2, after: first.nextCursor ?? "" });
    const third = await bindings.client.list({ ownerId, sort, first: 2, after: second.nextCursor ?? "" });
    expect([first, second, third].flatMap(namesOf)).toEqual(
      sort === "asc" ? ["a", "b", "c", "d", "e"] : ["e", "d", "c", "b", "a"],
    );
    expect(third.nextCursor).toBeNull();
  },
);

test.each([
  ["its address", "SHOP."],
  ["its description", "for Shop"],
  ["where it leads", "to-shop@EXAMPLE"],
])("searches in %s, without case", async (_, search) => {
  const { ownerId, namesOf } = await accountWith("shop", "bank", "forum");
  const page = await bindings.client.list({ ownerId, search });
  expect(namesOf(page)).toEqual(["shop"]);
  expect(page).toMatchObject({ totalCount: 1, used: 3 });
});

test.each(["%", "_", "\\", "'; drop table binding; --", "*"])("%s is searched for as it is", async (search) => {
  const { ownerId } = await accountWith("x");
  expect(await bindings.client.list({ ownerId, search })).toMatchObject({ bindings: [], totalCount: 0 });
});

test.each([
  ["after", { after: "nonsense" }],
  ["after", { after: "" }],
  ["search", { search: "a\0" }],
  ["search", { search: "\ud800" }],
  ["search", { search: "a".repeat(1_001) }],
])("a wrong %s is said to be", async (member, wrong) => {
  const refused = bindings.client.list({ ownerId: bindings.account(), ...wrong });
  await expect(refused).rejects.toMatchObject({
    kind: "ValidationFailed",
    publicMessage: expect.stringContaining(member),
  });
});

test("a cursor with a time that is none is said to be none", async () => {
  const after = Buffer.from(`${newId()}9999-99-99 99:99:99+99`).toString("base64url");
  const refused = bindings.client.list({ ownerId: bindings.account(), order: "last-received", after });
  await expect(refused).rejects.toMatchObject({
    kind: "ValidationFailed",
    publicMessage: expect.stringMatching(/^after/),
  });
});

test("automatic ones are listed, and do not count", async () => {
  const ownerId = bindings.account();
  await bindings.hear(topics.accountOpened, {
    accountId: ownerId,
    username: "auto@example.org",
    isUsernameVerified: true,
  });
  await bindings.client.create({ ownerId });
  expect(await bindings.client.list({ ownerId })).toMatchObject({
    bindings: [{ isAutomatic: false }, { isAutomatic: true }],
    totalCount: 2,
    used: 1,
    available: 7,
  });
});

test("several by their ids: those that exist and are the account's", async () => {
  const { ownerId } = await accountWith("x", "y");
  const { ownerId: other } = await accountWith("z");
  const [own, theirs] = [await bindings.client.list({ ownerId }), await bindings.client.list({ ownerId: other })];
  const ids = [...own.bindings, ...theirs.bindings].map(({ id }) => id);
  const found = await bindings.client.getMany({ ownerId, ids: [...ids, "nonsense", ...ids] });
  expect(found.map(({ id }) => id).sort()).toEqual(own.bindings.map(({ id }) => id).sort());
});

test("in the order of addresses, of how much came and of when, page after page", async () => {
  const { ownerId, namesOf } = await accountWith("b", "c", "a");
  const [first, second, third] = (await bindings.client.list({ ownerId })).bindings;
  await bindings.hear(
    topics.mailAccepted,
    ...[second, second, third].map((binding, index) => ({
      emailId: newId(),
      bindingId: binding?.id ?? "",
      ownerId,
      receivedAt: timestampFromDate(new Date(Date.UTC(2026, 0, 1 + index))),
    })),
  );
  const inOrder = async (order: "address" | "received" | "last-received", sort: "asc" | "desc") => {
    const names: (string | undefined)[] = [];
    let after: string | undefined;
    do {
      const page = await bindings.client.list({ ownerId, order, sort, first: 1, after });
      names.push(...namesOf(page));
      after = page.nextCursor ?? undefined;
    } while (after !== undefined);
    return names;
  };
  expect(
    namesOf({ bindings: [first, second, third].map((each) => ({ proxyAddress: each?.proxyAddress ?? "" })) }),
  ).toEqual(["a", "c", "b"]);
  expect(await inOrder("address", "asc")).toEqual(["a", "b", "c"]);
  expect(await inOrder("received", "desc")).toEqual(["c", "b", "a"]);
  expect(await inOrder("last-received", "desc")).toEqual(["b", "c", "a"]);
  expect(await inOrder("last-received", "asc")).toEqual(["a", "c", "b"]);
  const last = (await bindings.client.list({ ownerId, order: "last-received" })).bindings[0];
  expect(last?.lastReceivedAt).toBe("2026-01-03T00:00:00.000Z");
});

test("a cursor of another order is none", async () => {
  const { ownerId } = await accountWith("a", "b");
  const { nextCursor } = await bindings.client.list({ ownerId, order: "address", first: 1 });
  for (const order of ["created", "received", "last-received"] as const)
    await expect(bindings.client.list({ ownerId, order, after: nextCursor ?? "" })).rejects.toMatchObject({
      kind: "ValidationFailed",
    });
});

test("those that forward or do not, those of a domain, and those with a label", async () => {
  const { ownerId, namesOf } = await accountWith("on", "off");
  const [off] = (await bindings.client.list({ ownerId })).bindings;
  const { id = "" } = off ?? {};
  const realAddresses = [{ address: "to-off@example.org", isEnabled: false }];
  await bindings.client.update({ ownerId, id, realAddresses });
  await bindings.client.setWebsites({ ownerId, bindingId: id, sites: ["Shop.example"] });
  const found = async (asked: { isOn?: boolean; domain?: string; search?: string }) =>
    namesOf(await bindings.client.list({ ownerId, ...asked }));
  expect(await found({ isOn: true })).toEqual(["on"]);
  expect(await found({ isOn: false })).toEqual(["off"]);
  expect(await found({ domain: serviceDomain.toUpperCase() })).toEqual(["off", "on"]);
  expect(await found({ domain: "elsewhere.example" })).toEqual([]);
  expect(await found({ search: "shop.EX" })).toEqual(["off"]);
  const keptHere = await bindings.client.create({ ownerId });
  const isKeptHereOn = async () => (await found({ isOn: true })).length === 2;
  expect(await isKeptHereOn()).toBe(true);
  await bindings.client.toggle({ ownerId, id: keptHere.binding.id, isEnabled: false });
  expect(await isKeptHereOn()).toBe(false);
});
