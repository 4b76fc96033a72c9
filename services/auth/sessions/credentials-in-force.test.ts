import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import { AuthUnderTest } from "../test-support/auth.ts";
import { Sessions } from "./sessions.ts";

let auth: AuthUnderTest;
let accounts = 0;
let accountId: string;
let sessionId: string;
let bearer: string;

beforeAll(async () => {
  auth = await AuthUnderTest.start();
});
beforeEach(async () => {
  accounts += 1;
  const given = { username: `jane${accounts}@example.org`, password: "correct horse" };
  accountId = (await auth.client.addAccount(given)).id;
  const signedIn = await auth.client.signIn({ ...given, clientAddress: "192.0.2.1" });
  [sessionId, bearer] = [signedIn.id, signedIn.token];
});
afterAll(() => auth.stop());

const revoked = { kind: "BearerTokenInvalid" };

function inForce(
  credential: { sessionId?: string; keyId?: string; tokenId?: string | undefined },
  mayHaveExpired = true,
) {
  return auth.client.requireInForce({ accountId, scope: "admin", mayHaveExpired, ...credential });
}

/** It signs nothing. */
const sweep = () => new Sessions(auth.db, {} as never, 1_000).sweep();

async function madeKey(): Promise<string> {
  const id = newId();
  await auth.db.query(
    "insert into api_key (id, account_id, name, hash, scopes, target_ids) values ($1, $2, 'k', $3, array['admin'], '{}')",
    [id, accountId, Buffer.from(id)],
  );
  return id;
}

test("a session that has expired is good for what was begun with it, until it is revoked", async () => {
  await auth.db.query("update session set expires_at = now() - interval '1 minute' where id = $1", [sessionId]);
  await sweep();
  await inForce({ sessionId });
  await expect(inForce({ sessionId }, false)).rejects.toMatchObject(revoked);
  await auth.db.query("delete from session where account_id = $1", [accountId]);
  await expect(inForce({ sessionId })).rejects.toMatchObject(revoked);
});

test("so is an API key, unless it is revoked or has lost the scope", async () => {
  const keyId = await madeKey();
  await auth.db.query("update api_key set expires_at = now() - interval '1 minute' where id = $1", [keyId]);
  await inForce({ keyId });
  await expect(inForce({ keyId }, false)).rejects.toMatchObject(revoked);
  await auth.db.query("update api_key set scopes = array['mail:read'] where id = $1", [keyId]);
  await expect(inForce({ keyId })).rejects.toMatchObject(revoked);
  const other = await madeKey();
  await auth.db.query("delete from api_key where id = $1", [other]);
  await expect(inForce({ keyId: other })).rejects.toMatchObject(revoked);
});

test("an API token is good until the next one", async () => {
  const { token } = await auth.client.apiToken({ bearer });
  const { tokenId } = await auth.client.authenticate({ scheme: "token", value: token });
  await inForce({ tokenId });
  await auth.client.rotateApiToken({ accountId });
  await expect(inForce({ tokenId })).rejects.toMatchObject(revoked);
});

test("of an account that is disabled nothing is good", async () => {
  const keyId = await madeKey();
  await auth.db.query("update account set disabled_at = now() where id = $1", [accountId]);
  for (const credential of [{ sessionId }, { keyId }]) await expect(inForce(credential)).rejects.toMatchObject(revoked);
});

test("a session that ended long ago is forgotten", async () => {
  await auth.db.query("update session set expires_at = now() - interval '25 hours' where id = $1", [sessionId]);
  await sweep();
  await expect(inForce({ sessionId })).rejects.toMatchObject(revoked);
});
