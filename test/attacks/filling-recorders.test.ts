import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AttackedInstallation, type Owner } from "./support/accounts.ts";

// Who knows the URL of a recorder calls it as often as they like: what is kept of an account has a bound.

const limitMb = 20;
const mebibyte = 1024 * 1024;

let attacked: AttackedInstallation;
beforeAll(async () => {
  attacked = await AttackedInstallation.start({ QUOTA_RECORDED_MB: String(limitMb) });
}, 200_000);
afterAll(() => attacked.dispose());

async function newRecorder({ client }: Owner) {
  const { recorder } = await client.field(`mutation { createRecorder { recorder { id callUrl } } }`);
  return recorder as unknown as { id: string; callUrl: string };
}

const call = async (callUrl: string, body: string | Buffer) =>
  expect((await fetch(callUrl, { method: "POST", body: new Uint8Array(Buffer.from(body)) })).status).toBe(200);

/** The first letters of what is kept, oldest first. */
async function keptOf(hash: string): Promise<string[]> {
  const rows = await attacked.sql<{ start: string }>(
    `select convert_from(substr(body, 1, 2), 'UTF8') as start from webhook.recorded_call where hash = $1 order by number`,
    [hash],
  );
  return rows.map(({ start }) => start);
}

test("the oldest calls to an account's recorders go first, and none of another's", async () => {
  const [owner, other] = [await attacked.owner(), await attacked.owner()];
  const [one, two, theirs] = [await newRecorder(owner), await newRecorder(owner), await newRecorder(other)];
  await call(theirs.callUrl, "t0");
  await call(two.callUrl, "s0");
  // Five of 3 MiB fit beside each other, and six do not fit into 20 MB with what comes after.
  for (let number = 0; number < 5; number++) await call(one.callUrl, Buffer.alloc(3 * mebibyte, `a${number}`));
  expect([await keptOf(one.id), await keptOf(two.id)]).toEqual([["a0", "a1", "a2", "a3", "a4"], ["s0"]]);
  for (let number = 0; number < 5; number++) await call(two.callUrl, Buffer.alloc(3 * mebibyte, `b${number}`));
  expect(await keptOf(one.id)).toEqual(["a4"]);
  expect(await keptOf(two.id)).toEqual(["b0", "b1", "b2", "b3", "b4"]);
  expect(await keptOf(theirs.id)).toEqual(["t0"]);
  // The largest that a recorder takes finds room always.
  await call(one.callUrl, Buffer.alloc(10 * mebibyte, "c0"));
  expect(await keptOf(one.id)).toEqual(["c0"]);
  expect(await keptOf(two.id)).toEqual(["b2", "b3", "b4"]);
});
