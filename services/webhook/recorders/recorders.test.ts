import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { WebhookUnderTest } from "../test-support/webhook.ts";
import { Recorders } from "./recorders.ts";
import { pruneCalls } from "./retention.ts";

let db: TestDatabase;
let service: WebhookUnderTest;
const ownerId = newId();

beforeAll(async () => {
  db = await webhookDatabase();
  service = await WebhookUnderTest.start(db, { PUBLIC_URL: "https://mail.example/base" });
});
afterEach(async () => {
  await db.query("truncate callback, recorder, recorded_call, outbox");
});
afterAll(async () => {
  await service.stop();
  await db.dispose();
});

const record = (hash: string, body: Buffer | string, method = "POST") =>
  service.client.record({ hash, method, body: Buffer.from(body).toString("base64") });

describe("a recorder", () => {
  test("has a hash of 32 digits that nobody guesses, and is its owner's", async () => {
    const made = await Promise.all([1, 2, 3].map(() => service.client.createRecorder({ ownerId })));
    for (const { hash } of made) expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(made.map(({ hash }) => hash)).size).toBe(3);
    const listed = await service.client.recorders({ ownerId });
    expect(listed.map(({ hash }) => hash).sort()).toEqual(made.map(({ hash }) => hash).sort());
    expect(await service.client.recorders({ ownerId: newId() })).toEqual([]);
  });

  test("keeps whatever bytes it is sent, and shows them as text, newest first", async () => {
    const { hash } = await service.client.createRecorder({ ownerId });
    expect(await service.client.recordedCalls({ ownerId, hash })).toEqual([]);
    const bodies = ["", '{"a":1}', "nul \0 here", Buffer.from([0x61, 0xff, 0xc3, 0x62]), "\ufeffmarked", "Grüße ☃ 𝄞"];
    for (const body of bodies) await record(hash, body);
    await record(hash, "", "PROPFIND");
    const calls = await service.client.recordedCalls({ ownerId, hash });
    expect(calls.map(({ method, body }) => [method, body])).toEqual([
      ["PROPFIND", ""],
      ["POST", "Grüße ☃ 𝄞"],
      ["POST", "marked"],
      ["POST", "a\ufffd\ufffdb"],
      ["POST", "nul \0 here"],
      ["POST", '{"a":1}'],
      ["POST", ""],
    ]);
    expect(await service.client.recordedCalls({ ownerId, hash, first: 1 })).toEqual(calls.slice(0, 1));
  });

  test("keeps the last fifty calls, also when many come at once", async () => {
    const { hash } = await service.client.createRecorder({ ownerId });
    for (let count = 1; count <= 45; count += 1) await record(hash, `${count}`);
    await Promise.all([46, 47, 48, 49, 50, 51, 52, 53, 54, 55].map((count) => record(hash, `${count}`)));
    const calls = await service.client.recordedCalls({ ownerId, hash });
    expect(calls).toHaveLength(50);
    expect(calls.slice(10).map(({ body }) => body)).toEqual(Array.from({ length: 40 }, (_, index) => `${45 - index}`));
    const { rows } = await db.query("select count(*)::int as count from recorded_call");
    expect(rows).toEqual([{ count: 50 }]);
  });

  test("takes 10 MiB and no more, and gives no more at once than can be carried", async () => {
    const { hash } = await service.client.createRecorder({ ownerId });
    const largest = Buffer.alloc(10 * 1024 * 1024, "x");
    await record(hash, largest);
    await expect(record(hash, Buffer.concat([largest, Buffer.from("x")]))).rejects.toMatchObject({
      kind: "BodyTooLarge",
    });
    const recorders = new Recorders(db, { recorders: 100, recordedMb: 1_000 });
    for (let count = 0; count < 4; count += 1) await recorders.record(hash, "PUT", largest);
    const calls = await service.client.recordedCalls({ ownerId, hash });
    expect(calls.map(({ method, body }) => [method, body.length])).toEqual(Array(4).fill(["PUT", largest.length]));
  });

  test("that does not exist and somebody else's look alike", async () => {
    const { hash } = await service.client.createRecorder({ ownerId });
    const missing = "0".repeat(32);
    const asked = [
      { ownerId: newId(), hash },
      { ownerId, hash: missing },
      { ownerId, hash: "'; drop table recorder" },
      { ownerId, hash: `${hash}\0` },
    ];
    const errors = await Promise.all(asked.map((wrong) => service.client.recordedCalls(wrong).catch((error) => error)));
    expect(errors.map(({ kind, publicMessage }) => [kind, publicMessage])).toEqual(
      Array(asked.length).fill(["NotFound", "There is no such recorder."]),
    );
    for (const unknown of [missing, hash.toUpperCase(), "", "\0"])
      await expect(record(unknown, "")).rejects.toMatchObject({ kind: "NotFound" });
    await expect(record(hash, "", "GET\0")).rejects.toMatchObject({ kind: "ValidationFailed" });
  });

  test("forgets calls after 30 days, and stays", async () => {
    const { hash } = await service.client.createRecorder({ ownerId });
    await record(hash, "old");
    await db.query("update recorded_call set at = now() - interval '31 days'");
    await record(hash, "new");
    expect(await pruneCalls(db)).toBe(false);
    expect((await service.client.recordedCalls({ ownerId, hash })).map(({ body }) => body)).toEqual(["new"]);
  });

  test("of this service is called without leaving it", async () => {
    const { hash } = await service.client.createRecorder({ ownerId });
    const base = "https://mail.example/base/api/v1/callback/call";
    const email = await service.store({ ownerId, callbackUrl: `${base}/${hash}` });
    const missed = await service.store({ ownerId, callbackUrl: `${base}/${"0".repeat(32)}` });
    expect(await service.settled()).toEqual({ [email.emailId]: "delivered", [missed.emailId]: "given_up" });
    const shown = await service.client.callbacks({ ownerId, emailIds: [email.emailId, missed.emailId] });
    expect(shown.map(({ attempts }) => attempts[0]?.status)).toEqual([200, 404]);
    const [call] = await service.client.recordedCalls({ ownerId, hash });
    expect(JSON.parse(call?.body ?? "")).toMatchObject({ id: email.emailId, user: { id: ownerId } });
  });
});
