import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import { silentLogger, type TestDatabase } from "../../../test/support/peers/database.ts";
import { Sealer } from "../../platform/security/sealing.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { Sessions } from "../sessions/sessions.ts";
import { authDatabase } from "../test-support/database.ts";
import { resealBatch } from "./resealing.ts";
import { TokenSigningKeys } from "./signing-keys.ts";

const credentials = { username: "jane@example.org", password: "correct horse" };

let db: TestDatabase;
let services: ServiceUnderTest<typeof authContract>[];

beforeEach(async () => {
  db = await authDatabase();
  services = [];
});

afterEach(async () => {
  for (const service of services) await service.stop();
  await db.dispose();
});

async function replica(secrets = new Secrets("first key")) {
  const service = await startService(auth, authContract, { db, secrets });
  services.push(service);
  return service.client;
}

const signIn = async (client: Awaited<ReturnType<typeof replica>>) =>
  (await client.signIn({ ...credentials, clientAddress: "192.0.2.1" })).token;
const keyIds = async () =>
  (await db.query<{ id: string }>(`select id from signing_key order by created_at desc`)).rows.map((row) => row.id);
const age = (days: number) =>
  db.query(`update signing_key set created_at = created_at - make_interval(days => $1)`, [days]);
const signingKeys = (secrets = new Secrets("first key")) =>
  new TokenSigningKeys(db, new Sealer(secrets, "auth"), 90, silentLogger);

test("replicas that start at once share one key", async () => {
  await Promise.all([replica(), replica(), replica()]);
  expect(await keyIds()).toHaveLength(1);
});

test("after 90 days a new key signs; every replica verifies it, and the old one until the last of its tokens ends", async () => {
  const [here, there] = [await replica(), await replica()];
  await here.addAccount(credentials);
  const old = await signIn(here);
  await age(89);
  await signingKeys().rotate();
  expect(await keyIds()).toHaveLength(1);

  await age(2);
  const [oldKey] = await keyIds();
  const rotated = await replica();
  const fresh = await signIn(rotated);
  expect((await rotated.jwks({})).keys.map((key) => key.kid)).toEqual([
    expect.not.stringContaining(String(oldKey)),
    oldKey,
  ]);
  for (const client of [here, there, rotated]) {
    for (const value of [old, fresh])
      await expect(client.authenticate({ scheme: "bearer", value })).resolves.toBeDefined();
  }

  // Its successor is known everywhere by now, but a token of it lives.
  await age(2);
  await signingKeys().rotate();
  expect(await keyIds()).toContain(oldKey);
  await db.query(`update session set expires_at = now() - interval '1 day' where signing_key_id = $1`, [oldKey]);
  const keys = signingKeys();
  await new Sessions(db, keys, 1_000).sweep();
  await keys.rotate();
  expect(await keyIds()).not.toContain(oldKey);
  await expect(rotated.authenticate({ scheme: "bearer", value: fresh })).resolves.toBeDefined();
});

test("while SECRET_KEY is rotated everything still opens, and is encrypted again", async () => {
  const before = await replica();
  const { id } = await before.addAccount(credentials);
  const bearer = await signIn(before);
  const { token } = await before.apiToken({ bearer });
  const { secret } = await before.rotateWebhookSecret({ accountId: id });
  const { uri } = await before.beginSecondFactor({ accountId: id });
  const identities = await before.webhookIdentities({ accountIds: [id] });
  expect(uri).toMatch(/^otpauth:\/\/totp\//);

  const rotated = new Secrets("second key", "first key");
  const during = await replica(rotated);
  expect(await during.apiToken({ bearer })).toEqual({ token });
  expect(await during.webhookIdentities({ accountIds: [id] })).toEqual(identities);

  const sealer = new Sealer(rotated, "auth");
  expect(await resealBatch(db, sealer)).toBe(5);
  expect(await resealBatch(db, sealer)).toBe(0);
  const after = await replica(new Secrets("second key"));
  expect(await after.apiToken({ bearer })).toEqual({ token });
  expect((await after.webhookIdentities({ accountIds: [id] }))[0]?.secrets[0]).toBe(secret);
  expect(await after.webhookIdentities({ accountIds: [id] })).toEqual(identities);
  expect(await keyIds()).toHaveLength(1);
});

test("a SECRET_KEY that was lost costs a new signing key, not the service; tokens that were signed still verify", async () => {
  const before = await replica();
  await before.addAccount(credentials);
  const bearer = await signIn(before);
  const after = await replica(new Secrets("another key"));
  expect(await keyIds()).toHaveLength(2);
  await expect(after.authenticate({ scheme: "bearer", value: bearer })).resolves.toBeDefined();
  await expect(after.authenticate({ scheme: "bearer", value: await signIn(after) })).resolves.toBeDefined();
});
