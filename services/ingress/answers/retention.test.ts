import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { expireIdempotencyKeys, recordNewRequests } from "../sending/idempotency-keys.ts";
import { expireAnswerDigests, recordNewAnswers } from "./replay-protection.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase({ schema: "ingress", migrations: new URL("../migrations/", import.meta.url) });
});
afterAll(() => db.dispose());

const digestOf = (text: string) => createHash("sha256").update(text).digest();

async function runOnce(task: { start(): void; stop(): Promise<void> }): Promise<void> {
  task.start();
  await task.stop();
}

test("an answer is known again for 14 days, and several of one set are one", async () => {
  const [answer, other] = [digestOf("an answer"), digestOf("another")];
  const record = (...digests: (Buffer | undefined)[]) => db.tx((tx) => recordNewAnswers(tx, digests));
  const aged = async (interval: string) => {
    await db.query("update seen_answer set seen_at = now() - $1::interval", [interval]);
    await runOnce(expireAnswerDigests(db, silentLogger));
  };
  expect(await record(answer, answer, undefined, other)).toEqual([true, false, true, true]);
  await aged("13 days 23 hours");
  expect(await record(answer, other)).toEqual([false, false]);
  await aged("14 days 1 hour");
  expect(await record(answer)).toEqual([true]);
});

test("an Idempotency-Key is kept for 7 days, for its account", async () => {
  const request = (ownerId: string) => ({ ownerId, keyDigest: digestOf("key"), bodyDigest: digestOf("body") });
  const [olive, otto] = [request(newId()), request(newId())];
  const record = (which: typeof olive) =>
    db.tx((tx) => recordNewRequests(tx, [{ ...which, emailId: newId() }, undefined]));
  const aged = async (interval: string) => {
    await db.query("update sent_request set sent_at = now() - $1::interval", [interval]);
    await runOnce(expireIdempotencyKeys(db, silentLogger));
  };
  expect(await record(olive)).toEqual([true, true]);
  expect(await record(otto)).toEqual([true, true]);
  await aged("6 days 23 hours");
  expect(await record(olive)).toEqual([false, true]);
  await aged("7 days 1 hour");
  expect(await record(olive)).toEqual([true, true]);
});
