import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { madeKey } from "../support/api-keys.ts";
import type { Json } from "../support/ask.ts";
import { freshAddress, madeBinding } from "../support/bindings.ts";

const path = (id: string) => `/api/postern/v1/addresses/${id}`;

let anna: TestAccount;
let bert: TestAccount;
beforeAll(async () => {
  [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
});

/** All but when it was changed. */
function lasting({ updatedAt: _, ...rest }: Json): unknown {
  return rest;
}

test("201 with a new address, then 200, and the same each time", async () => {
  const address = freshAddress();
  const wanted = {
    description: "For the shop",
    isBrowsable: true,
    realAddresses: [{ address: anna.username }, { address: "off@example.org", isEnabled: false }],
  };
  const first = await anna.ask("PUT", path(address), wanted);
  expect([first.status, first.body["data"]]).toEqual([
    201,
    expect.objectContaining({ proxyAddress: address, description: "For the shop", isBrowsable: true, answers: false }),
  ]);
  const { id, realAddresses } = first.body["data"] ?? {};
  expect(Object.values(realAddresses ?? {}).map((each) => [each?.["address"], each?.["isEnabled"]])).toEqual([
    [anna.username, true],
    ["off@example.org", false],
  ]);
  for (const name of [address, address.toUpperCase(), String(id)]) {
    const again = await anna.ask("PUT", path(name), wanted);
    expect([again.status, lasting(again.body["data"] ?? {})]).toEqual([200, lasting(first.body["data"] ?? {})]);
  }
});

test("of two requests at once for a new address one makes it, and both have what they asked for", async () => {
  const address = freshAddress();
  const put = (description: string) =>
    anna.ask("PUT", path(address), { description, realAddresses: [{ address: anna.username, isEnabled: false }] });
  const answers = await Promise.all(["one", "two", "three", "four"].map(put));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  expect(answers.map(({ body }) => body["data"])).toMatchObject(
    ["one", "two", "three", "four"].map((description) => ({ description, realAddresses: [{ isEnabled: false }] })),
  );
});

test("what is left out is as a new address has it; real addresses stay", async () => {
  const address = freshAddress();
  await anna.ask("PUT", path(address), { description: "x", realAddresses: [{ address: anna.username }] });
  const { body } = await anna.ask("PUT", path(address), {});
  expect(body["data"]).toMatchObject({ description: "", realAddresses: [{ address: anna.username }] });
});

test("404 and 409 for somebody else's, and a key makes none without alias:create", async () => {
  const theirs = await madeBinding(bert);
  expect((await anna.ask("PUT", path(theirs.id), {})).status).toBe(404);
  expect((await anna.ask("PUT", path(theirs.proxyAddress), {})).status).toBe(409);
  const writing = await madeKey(anna, { scopes: ["alias:write"] });
  expect((await writing.ask("PUT", path(freshAddress()), {})).status).toBe(403);
  const own = await madeBinding(anna);
  expect((await writing.ask("PUT", path(own.id), {})).status).toBe(200);
});
