import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { SecurityNotices } from "../accounts/security-notices.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";
import { ApiKeys } from "./api-keys.ts";

let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;
let accountId: string;
let username: string;
let accounts = 0;
beforeAll(async () => {
  db = await authDatabase();
  service = await startService(auth, authContract, { db });
});
beforeEach(async () => {
  accounts += 1;
  username = `jane${accounts}@example.org`;
  accountId = (await service.client.addAccount({ username, password: "correct horse" })).id;
});
afterAll(async () => {
  await service.stop();
  await db.dispose();
});

/** Of another process: it remembers nothing of what was asked before. */
const freshKeys = () =>
  new ApiKeys(db, new SecurityNotices({ PUBLIC_URL: "http://127.0.0.1", SERVICE_NAME: "postern" }));
const notFound = { kind: "TokenNotFound" };

test("a key stands for its account, and says what it is held to; no column holds it", async () => {
  const { key, apiKey } = await freshKeys().create(
    { accountId },
    {
      name: "k",
      scopes: ["mail:read"],
      domain: "example.org",
    },
  );
  const rights = { id: apiKey.id, scopes: ["mail:read"], domain: "example.org", targetIds: [] };
  const known = await service.client.authenticate({ scheme: "token", value: key, acceptsApiKeys: true });
  expect(known).toEqual({ accountId, username, isFullyAuthenticated: true, key: rights });
  const { rows } = await db.query<{ row: string }>("select api_key::text as row from api_key where account_id = $1", [
    accountId,
  ]);
  expect(rows[0]?.row).not.toContain(key.slice(4));
});

test("who does not mind what a key is held to is told that there is no such credential", async () => {
  const { key } = await freshKeys().create({ accountId }, { name: "k", scopes: ["admin"] });
  await expect(service.client.authenticate({ scheme: "token", value: key })).rejects.toMatchObject(notFound);
  await expect(service.client.authenticate({ scheme: "bearer", value: key })).rejects.toMatchObject({
    kind: "BearerTokenInvalid",
  });
});

test("a key that has expired is worth nothing, and goes a month later", async () => {
  const keys = freshKeys();
  const { key, apiKey } = await keys.create({ accountId }, { name: "k", scopes: ["admin"] });
  await db.query("update api_key set expires_at = now() where id = $1", [apiKey.id]);
  await expect(freshKeys().caller(key)).rejects.toMatchObject(notFound);
  await keys.sweep();
  expect(await keys.list(accountId)).toHaveLength(1);
  await db.query("update api_key set expires_at = now() - interval '31 days' where id = $1", [apiKey.id]);
  await keys.sweep();
  expect(await keys.list(accountId)).toEqual([]);
});

test("a session that has ended while it asked makes no key", async () => {
  const asked = freshKeys().create({ accountId, sessionId: newId() }, { name: "k", scopes: ["admin"] });
  await expect(asked).rejects.toMatchObject({ kind: "FreshProofRequired" });
  expect(await freshKeys().list(accountId)).toEqual([]);
});

test("its last use is written at most once a minute", async () => {
  const { key, apiKey } = await freshKeys().create({ accountId }, { name: "k", scopes: ["admin"] });
  const lastUse = async () => (await freshKeys().list(accountId))[0]?.lastUsedAt;
  expect(await lastUse()).toBeNull();
  await freshKeys().caller(key);
  const first = await lastUse();
  expect(first).toEqual(expect.any(String));
  await freshKeys().caller(key);
  expect(await lastUse()).toBe(first);
  await db.query("update api_key set last_used_at = now() - interval '61 seconds' where id = $1", [apiKey.id]);
  const long = await lastUse();
  await freshKeys().caller(key);
  expect(await lastUse()).not.toBe(long);
});

test("disabling or closing an account ends its keys, and those of no other", async () => {
  const other = (await service.client.addAccount({ username: `other-of-${username}`, password: "correct horse" })).id;
  const kept = await freshKeys().create({ accountId: other }, { name: "k", scopes: ["admin"] });
  const ended = await freshKeys().create({ accountId }, { name: "k", scopes: ["admin"] });
  await service.client.disableAccount({ username });
  await expect(freshKeys().caller(ended.key)).rejects.toMatchObject(notFound);
  await expect(freshKeys().create({ accountId }, { name: "k", scopes: ["admin"] })).rejects.toMatchObject({
    kind: "NotFound",
  });
  await service.client.enableAccount({ username });
  await expect(freshKeys().caller(ended.key)).rejects.toMatchObject(notFound);
  expect(await freshKeys().caller(kept.key)).toMatchObject({ accountId: other });
  await db.query("delete from account where id = $1", [other]);
  await expect(freshKeys().caller(kept.key)).rejects.toMatchObject(notFound);
});
