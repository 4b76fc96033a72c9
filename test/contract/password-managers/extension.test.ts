import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { type MadeKey, madeKey } from "../support/api-keys.ts";
import { type Answer, ask } from "../support/ask.ts";
import { madeBinding } from "../support/bindings.ts";
import { expectCompatibilityError } from "../support/compatibility.ts";

// What SimpleLogin's own extension and applications need: sign in with a key, list, search, toggle, make, note and delete.

let anna: TestAccount;
let key: MadeKey;
beforeAll(async () => {
  anna = await newAccount("anna");
  key = await madeKey(anna, { scopes: ["alias:create", "alias:read", "alias:write", "mail:read"] });
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  ask({ method, path, headers: { Authentication: key.key }, body });

test("GET /api/user_info", async () => {
  const { status, body } = await call("GET", "/api/user_info");
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ name: anna.username, email: anna.username, is_premium: true, in_trial: false }),
  ]);
});

test("an alias's life: options, made with a prefix, shown, noted, switched off and on, removed", async () => {
  const options = (await call("GET", "/api/v5/alias/options?hostname=www.shop.example")).body;
  expect([options["can_create"], options["prefix_suggestion"]]).toEqual([true, "shop"]);
  const suffixes = Object.values(options["suffixes"] ?? {});
  expect(suffixes.map((each) => each?.["suffix"])).toEqual([
    expect.stringMatching(/^\.[a-z]{5}@postern\.localhost$/),
    "@postern.localhost",
  ]);
  const signed_suffix = suffixes[0]?.["signed_suffix"];

  const prefix = `shop-${Date.now()}`;
  const mailboxes = (await call("GET", "/api/v2/mailboxes")).body["mailboxes"];
  expect(mailboxes?.["0"]).toMatchObject({ email: anna.username, default: true, verified: true });
  const wish = {
    alias_prefix: prefix,
    signed_suffix,
    mailbox_ids: [mailboxes?.["0"]?.["id"]],
    note: "a note",
    name: "Anna",
  };
  const made = await call("POST", "/api/v3/alias/custom/new?hostname=www.shop.example", wish);
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ email: `${prefix}${String(signed_suffix)}`, note: "a note", name: "Anna" }),
  ]);
  expectCompatibilityError(await call("POST", "/api/v3/alias/custom/new", wish), 409, "AddressTaken");

  const path = `/api/aliases/${String(made.body["id"])}`;
  const { alias: _alias, ...shown } = made.body;
  expect((await call("GET", path)).body).toEqual(shown);
  expect((await call("PATCH", path, { note: "another" })).body).toEqual({ ok: true });
  expect((await call("PUT", path, { name: "Jane" })).body).toEqual({ ok: true });
  expect((await call("GET", path)).body).toMatchObject({ note: "another", name: "Jane" });
  expect((await call("POST", `${path}/toggle`)).body).toEqual({ enabled: false });
  expect((await call("GET", path)).body).toMatchObject({ enabled: false });
  expect((await call("POST", `${path}/toggle`)).body).toEqual({ enabled: true });
  expect((await call("GET", `${path}/activities?page_id=0`)).body).toEqual({ activities: [] });
  expect((await call("DELETE", path)).body).toEqual({ deleted: true });
  expectCompatibilityError(await call("GET", path), 404, "NotFound");
});

test("another mailbox for an alias that is off leaves it off", async () => {
  const binding = { description: "off", real_addresses: ["one@example.org", "two@example.org"] };
  // The first keeps the mailboxes.
  await madeBinding(anna, binding);
  await madeBinding(anna, binding);
  const listed = (await call("POST", "/api/v2/aliases?page_id=0", { query: "one@example.org" })).body["aliases"]?.["0"];
  const path = `/api/aliases/${String(listed?.["id"])}`;
  const [one, two] = Object.values(listed?.["mailboxes"] ?? {}).map((mailbox) => mailbox?.["id"]);
  expect((await call("PATCH", path, { mailbox_ids: [one] })).body).toEqual({ ok: true });
  expect((await call("POST", `${path}/toggle`)).body).toEqual({ enabled: false });
  for (const mailbox_ids of [[two], [one, two]]) {
    expect((await call("PATCH", path, { mailbox_ids })).body).toEqual({ ok: true });
    expect((await call("GET", path)).body).toMatchObject({
      enabled: false,
      mailboxes: expect.arrayContaining(mailbox_ids.map((id) => expect.objectContaining({ id }))),
    });
  }
  expect((await call("POST", `${path}/toggle`)).body).toEqual({ enabled: true });
  expect((await call("PATCH", path, { mailbox_id: one })).body).toEqual({ ok: true });
  expect((await call("GET", path)).body).toMatchObject({ enabled: true });
});

test("a list of 20 to a page, searched, and by what is on", async () => {
  const account = await newAccount();
  const { key: reading } = await madeKey(account, { scopes: ["alias:read", "alias:write"] });
  const asked = async (method: string, path: string, body?: unknown) => {
    const answer = await ask({ method, path, headers: { Authentication: reading }, body });
    return Object.values(answer.body["aliases"] ?? {});
  };
  for (let made = 0; made < 22; made += 1)
    await madeBinding(account, { description: `number ${made}`, real_addresses: ["a@example.org"] });
  const [first, second, third] = [
    await asked("GET", "/api/v2/aliases?page_id=0"),
    await asked("GET", "/api/v2/aliases?page_id=1"),
    await asked("GET", "/api/v2/aliases?page_id=2"),
  ];
  expect([first.length, second.length, third.length]).toEqual([20, 2, 0]);
  expect(first[0]).toMatchObject({ note: "number 21", mailbox: { email: "a@example.org" } });
  expect(new Set([...first, ...second].map((each) => each?.["id"])).size).toBe(22);
  expect(await asked("POST", "/api/v2/aliases?page_id=0", { query: "NUMBER 7" })).toHaveLength(1);
  await ask({
    method: "POST",
    path: `/api/aliases/${String(second[0]?.["id"])}/toggle`,
    headers: { Authentication: reading },
  });
  expect(await asked("GET", "/api/v2/aliases?page_id=0&disabled")).toHaveLength(1);
  expect(await asked("GET", "/api/v2/aliases?page_id=1&enabled=true")).toHaveLength(1);
  expect(await asked("GET", "/api/v2/aliases?page_id=0&pinned")).toEqual([]);
});

test("somebody else's alias and one that never was look alike", async () => {
  const stranger = await newAccount();
  await madeBinding(stranger);
  const { key: theirs } = await madeKey(stranger, { scopes: ["alias:read"] });
  const listed = await ask({ method: "GET", path: "/api/v2/aliases", headers: { Authentication: theirs } });
  const number = String(listed.body["aliases"]?.["0"]?.["id"]);
  for (const path of [`/api/aliases/${number}`, "/api/aliases/999999999", "/api/aliases/x", "/api/aliases/1e3"]) {
    expectCompatibilityError(await call("GET", path), 404, "NotFound");
    expectCompatibilityError(await call("DELETE", path), 404, "NotFound");
  }
});

test("what is wrong is named as the program sent it", async () => {
  const { body: alias } = await call("POST", "/api/alias/random/new", {});
  const path = `/api/aliases/${String(alias["id"])}`;
  const long = "x".repeat(20_000);
  const custom = { alias_prefix: "postmaster", signed_suffix: "@postern.localhost" };
  for (const [member, method, at, body] of [
    ["note", "POST", "/api/alias/random/new", { note: long }],
    ["alias_prefix", "POST", "/api/v3/alias/custom/new", custom],
    ["note", "POST", "/api/v3/alias/custom/new", { ...custom, alias_prefix: `p-${Date.now()}`, note: long }],
    ["local_part", "POST", "/addy/api/v1/aliases", { local_part: "postmaster", domain: "postern.localhost" }],
    ["name", "PUT", path, { name: long }],
    ["note", "PATCH", path, { note: long }],
    ["mailbox_ids", "PATCH", path, { mailbox_ids: [] }],
    ["contact", "POST", `${path}/contacts`, { contact: "x" }],
  ] as const) {
    const answer = await call(method, at, body);
    expectCompatibilityError(answer, 422, "ValidationFailed", expect.stringMatching(new RegExp(`^${member}: `)));
  }
});

test("settings", async () => {
  expect((await call("GET", "/api/setting")).body).toMatchObject({ random_alias_default_domain: "postern.localhost" });
  expect(JSON.parse((await call("GET", "/api/v2/setting/domains")).text)).toEqual([
    { domain: "postern.localhost", is_custom: false },
  ]);
});

test("contacts: made once, listed, blocked and no longer, removed", async () => {
  const { body: alias } = await call("POST", "/api/alias/random/new", {});
  const path = `/api/aliases/${String(alias["id"])}/contacts`;
  const made = await call("POST", path, { contact: "Ann Lee <ann@shop.example>" });
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ contact: "ann@shop.example", block_forward: false, id: expect.any(Number) }),
  ]);
  expect(made.body["reverse_alias_address"]).toEqual(expect.stringMatching(/^re\+[a-z2-7]{26}@postern\.localhost$/));
  const again = await call("POST", path, { contact: "ann@shop.example" });
  expect([made.body["existed"], again.status, again.body]).toEqual([false, 200, { ...made.body, existed: true }]);
  const renamed = await call("POST", path, { contact: "Ann Lee <ann@shop.example>" });
  expect([renamed.status, renamed.body]).toEqual([200, again.body]);
  expect((await call("GET", `${path}?page_id=0`)).body["contacts"]).toEqual([made.body]);
  expect((await call("GET", `${path}?page_id=1`)).body["contacts"]).toEqual([]);
  const contact = `/api/contacts/${String(made.body["id"])}`;
  expect((await call("POST", `${contact}/toggle`)).body).toEqual({ block_forward: true });
  expect((await call("POST", `${contact}/toggle`)).body).toEqual({ block_forward: false });
  const stranger = await newAccount();
  const { key: theirs } = await madeKey(stranger, { scopes: ["alias:read", "alias:write"] });
  expectCompatibilityError(
    await ask({ method: "DELETE", path: contact, headers: { Authentication: theirs } }),
    404,
    "NotFound",
  );
  expect((await call("DELETE", contact)).body).toEqual({ deleted: true });
  expectCompatibilityError(await call("DELETE", contact), 404, "NotFound");
});
