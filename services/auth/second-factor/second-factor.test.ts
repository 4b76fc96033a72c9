import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { generate } from "otplib";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";

const password = "correct horse";
const clientAddress = "192.0.2.1";
const wrong = { kind: "WrongSecondFactor", status: 403 };

let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;
let accountId: string;
let bearer: string;

beforeAll(async () => {
  db = await authDatabase();
  service = await startService(auth, authContract, { db, environment: { LIMIT_SECOND_FACTOR_PER_ACCOUNT: "4" } });
});

afterAll(async () => {
  await service.stop();
  await db.dispose();
});

beforeEach(async () => {
  const username = `${newId()}@example.org`;
  accountId = (await service.client.addAccount({ username, password })).id;
  bearer = (await service.client.signIn({ username, password, clientAddress })).token;
});

/** The code of this moment, or of some steps of 30 s later. */
const codeOf = (secret: string, steps = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });
const grant = (code: string, value = bearer) =>
  service.client.grantSecondFactor({ bearer: value, code, clientAddress });
const isFullyAuthenticated = async (value = bearer) =>
  (await service.client.authenticate({ scheme: "bearer", value })).isFullyAuthenticated;

/** A factor in force. The code of this moment is used up, so that the next one is good whenever this step ends. */
async function enable() {
  const { secret } = await service.client.beginSecondFactor({ accountId });
  const { recoveryCodes } = await service.client.confirmSecondFactor({ accountId, code: await codeOf(secret) });
  return { secret, recoveryCodes };
}

test("a factor that was begun asks for nothing until it is confirmed by a code", async () => {
  const { secret, uri } = await service.client.beginSecondFactor({ accountId });
  expect(uri).toContain(`secret=${secret}`);
  expect(await isFullyAuthenticated()).toBe(true);
  await expect(service.client.confirmSecondFactor({ accountId, code: "000000x" })).rejects.toMatchObject(wrong);
  await expect(grant(await codeOf(secret))).rejects.toMatchObject({ kind: "SecondFactorNotEnabled", status: 409 });
  const { recoveryCodes } = await service.client.confirmSecondFactor({ accountId, code: await codeOf(secret) });
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(await isFullyAuthenticated()).toBe(false);
  expect(await service.client.account({ id: accountId })).toMatchObject({ hasSecondFactor: true });
  await expect(service.client.beginSecondFactor({ accountId })).rejects.toMatchObject({ kind: "Conflict" });
});

test("a bearer token without the factor gets no API token; a code gives one that has it", async () => {
  const { secret } = await enable();
  await expect(service.client.apiToken({ bearer })).rejects.toMatchObject({
    kind: "SecondFactorRequired",
    status: 403,
  });
  const granted = await grant(await codeOf(secret, 1));
  expect(granted).toMatchObject({ accountId, isSecondFactorGranted: true, isNewAccount: false });
  expect(await isFullyAuthenticated(granted.token)).toBe(true);
  expect(await isFullyAuthenticated()).toBe(false);
  const { token } = await service.client.apiToken({ bearer: granted.token });
  expect(await service.client.authenticate({ scheme: "token", value: token })).toMatchObject({
    isFullyAuthenticated: true,
  });
});

test("no code is taken twice, also not by two at once, nor an earlier one after a later", async () => {
  const { secret } = await enable();
  const [earlier, code] = [await codeOf(secret, -1), await codeOf(secret, 1)];
  const outcomes = await Promise.allSettled([grant(code), grant(code)]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(grant(earlier)).rejects.toMatchObject(wrong);
});

test("a recovery code is good once, however it is typed", async () => {
  const { recoveryCodes } = await enable();
  const [first = "", second = ""] = recoveryCodes;
  expect(first).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
  await expect(grant(` ${first.toUpperCase().replaceAll("-", " ")}`)).resolves.toBeDefined();
  await expect(grant(first)).rejects.toMatchObject(wrong);
  await expect(grant(second)).resolves.toBeDefined();
  const { rows } = await db.query<{ row: string }>(
    `select encode(hash, 'escape') as row from recovery_code where account_id = $1`,
    [accountId],
  );
  expect(rows).toHaveLength(8);
});

test("another account's codes are wrong here", async () => {
  const { recoveryCodes } = await enable();
  const { id } = await service.client.addAccount({ username: `${newId()}@example.org`, password });
  const { secret } = await service.client.beginSecondFactor({ accountId: id });
  await service.client.confirmSecondFactor({ accountId: id, code: await codeOf(secret) });
  await expect(
    service.client.disableSecondFactor({ accountId: id, code: recoveryCodes[0] ?? "" }),
  ).rejects.toMatchObject(wrong);
});

test("attempts are throttled, right ones too once there were too many", async () => {
  const { secret } = await enable();
  for (const code of ["000000", "", "nul\0", "half \ud800"]) await expect(grant(code)).rejects.toMatchObject(wrong);
  await expect(grant(await codeOf(secret, 1))).rejects.toMatchObject({
    kind: "RateLimited",
    retryAfterS: expect.any(Number),
  });
});

test("a code turns it off, and everything is as before", async () => {
  const { secret } = await enable();
  await expect(service.client.disableSecondFactor({ accountId, code: "000000" })).rejects.toMatchObject(wrong);
  await service.client.disableSecondFactor({ accountId, code: await codeOf(secret, 1) });
  expect(await isFullyAuthenticated()).toBe(true);
  await expect(grant(await codeOf(secret, 1))).rejects.toMatchObject({ kind: "SecondFactorNotEnabled" });
  expect((await db.query(`select from recovery_code where account_id = $1`, [accountId])).rowCount).toBe(0);
});
