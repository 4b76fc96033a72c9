import { expect, test } from "@jest/globals";
import { BytesInFlight } from "./bytes-in-flight.ts";

const bounded = () => new BytesInFlight({ totalBytes: 30, perKeyBytes: 20 });

/** A call that has sent so much and goes on until it is told to end. */
function call(inFlight: BytesInFlight, keys: readonly string[], bytes: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = inFlight.run(keys, async (count) => {
    count(bytes);
    await promise;
  });
  return { ended, end: resolve };
}

test("one key's share is no other's", async () => {
  const inFlight = bounded();
  const first = call(inFlight, ["a", "x"], 15);
  await expect(call(inFlight, ["a", "y"], 6).ended).rejects.toMatchObject({ kind: "RateLimited", retryAfterS: 1 });
  await expect(call(inFlight, ["b", "x"], 6).ended).rejects.toMatchObject({ kind: "RateLimited" });
  const other = call(inFlight, ["b", "y"], 10);
  await expect(call(inFlight, ["c", "z"], 6).ended).rejects.toMatchObject({ kind: "Unavailable", retryAfterS: 1 });
  expect(inFlight.totalBytes).toBe(25);
  first.end();
  other.end();
  await Promise.all([first.ended, other.ended]);
  expect(inFlight.totalBytes).toBe(0);
});

test("what failed has given back what it took", async () => {
  const inFlight = bounded();
  for (let turn = 0; turn < 10; turn++) await expect(call(inFlight, ["a"], 25).ended).rejects.toThrow();
  const { ended, end } = call(inFlight, ["a"], 20);
  end();
  await ended;
});
