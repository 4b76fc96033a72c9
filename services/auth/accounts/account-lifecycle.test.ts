import { fromBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AccountDisabledSchema } from "../../../proto/gen/postern/auth/v1/account_disabled_pb.js";
import { AccountEnabledSchema } from "../../../proto/gen/postern/auth/v1/account_enabled_pb.js";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { Sealer } from "../../platform/security/sealing.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { ApiKeys } from "../api-keys/api-keys.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { OperatorAudit } from "../operators/audit.ts";
import { authDatabase } from "../test-support/database.ts";
import { ApiTokens } from "../tokens/api-tokens.ts";
import { AccountLifecycle } from "./account-lifecycle.ts";
import { SecurityNotices } from "./security-notices.ts";

const password = "correct horse";

let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;

beforeAll(async () => {
  db = await authDatabase();
  service = await startService(auth, authContract, { db });
});

afterAll(async () => {
  await service.stop();
  await db.dispose();
});

/** What was published of disabling and enabling an account, in order. */
async function changesOf(accountId: string): Promise<{ topic: string; at: Date }[]> {
  const { rows } = await db.query<{ topic: string; payload: Buffer }>(
    `select topic, payload from outbox where key = $1 and topic in ('account.disabled', 'account.enabled') order by id`,
    [accountId],
  );
  return rows.map(({ topic, payload }) => {
    const at =
      topic === "account.disabled"
        ? fromBinary(AccountDisabledSchema, payload).disabledAt
        : fromBinary(AccountEnabledSchema, payload).enabledAt;
    if (!at) throw new Error(`${topic} has no time`);
    return { topic, at: timestampDate(at) };
  });
}

test("disabling and enabling an account is published, and of two changes the later has the later time", async () => {
  const { client } = service;
  const { id, username } = await client.addAccount({ username: "switched@example.org", password });
  expect(await client.disableAccount({ username })).toMatchObject({ id, isDisabled: true });
  expect(await client.enableAccount({ username })).toMatchObject({ id, isDisabled: false });
  expect(await client.disableAccount({ username })).toMatchObject({ id, isDisabled: true });
  const changes = await changesOf(id);
  expect(changes.map(({ topic }) => topic)).toEqual(["account.disabled", "account.enabled", "account.disabled"]);
  const times = changes.map(({ at }) => at.getTime());
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test("an account that was enabled again is signed in to with the password that it had", async () => {
  const { client } = service;
  const { username } = await client.addAccount({ username: "back@example.org", password });
  await client.disableAccount({ username });
  const credentials = { username, password, clientAddress: "192.0.2.1" };
  await expect(client.signIn(credentials)).rejects.toMatchObject({ kind: "WrongUserOrPassword" });
  await client.enableAccount({ username });
  await expect(client.signIn(credentials)).resolves.toMatchObject({ isSecondFactorGranted: false });
});

test("an account that a former release disabled is announced by a later one, once", async () => {
  const { id } = await service.client.addAccount({ username: "former@example.org", password });
  await db.query(`update account set disabled_at = now() where id = $1`, [id]);
  const apiTokens = new ApiTokens(db, new Sealer(new Secrets("a key"), "auth"));
  const settings = { PUBLIC_URL: "http://127.0.0.1", SERVICE_NAME: "postern" };
  const apiKeys = new ApiKeys(db, new SecurityNotices(settings));
  const lifecycle = new AccountLifecycle(db, { apiKeys, apiTokens }, new OperatorAudit(db));
  await Promise.all([lifecycle.announceDisabled(), lifecycle.announceDisabled()]);
  await lifecycle.announceDisabled();
  expect((await changesOf(id)).map(({ topic }) => topic)).toEqual(["account.disabled"]);
});

test("what does not exist is neither disabled nor enabled", async () => {
  await expect(service.client.disableAccount({ username: "nobody" })).rejects.toMatchObject({ kind: "NotFound" });
  await expect(service.client.enableAccount({ username: "nobody" })).rejects.toMatchObject({ kind: "NotFound" });
});
