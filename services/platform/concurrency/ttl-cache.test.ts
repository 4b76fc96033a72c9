import { expect, test } from "@jest/globals";
import { TtlCache } from "./ttl-cache.ts";

/** A cache, and a way to ask it that counts the loads. */
function counted(options: { ttlMs: number; maxEntries: number }) {
  const cache = new TtlCache<string>(options);
  const loads: string[] = [];
  const ask = (key: string) =>
    cache.getOrLoad(key, async () => {
      loads.push(key);
      return `value of ${key}`;
    });
  return { cache, loads, ask };
}

const minute = { ttlMs: 60_000, maxEntries: 10 };

test("a value is loaded once within its lifetime", async () => {
  const { loads, ask } = counted(minute);
  for (let round = 0; round < 3; round++) expect(await ask("a")).toBe("value of a");
  expect(loads).toEqual(["a"]);
});

test("a value whose lifetime is over is loaded again", async () => {
  const { cache, loads, ask } = counted(minute);
  cache.set("a", "set for a millisecond", 1);
  while (cache.get("a") !== undefined) await new Promise(setImmediate);
  expect(await ask("a")).toBe("value of a");
  expect(loads).toEqual(["a"]);
});

test("of too many the least recently used go", async () => {
  const { loads, ask } = counted({ ttlMs: 60_000, maxEntries: 2 });
  for (const key of ["a", "b", "c", "c", "b", "a"]) await ask(key);
  expect(loads).toEqual(["a", "b", "c", "a"]);
});

test("what is invalidated is loaded again, also where it was being loaded at that moment", async () => {
  const { cache, loads, ask } = counted(minute);
  await Promise.all([ask("a"), ask("b")]);
  cache.invalidate((value) => value === "value of a");
  await Promise.all([ask("a"), ask("b")]);
  expect(loads).toEqual(["a", "b", "a"]);

  const { promise, resolve } = Promise.withResolvers<string>();
  const old = cache.getOrLoad("c", () => promise);
  cache.invalidate(() => false);
  resolve("the old value");
  expect(await old).toBe("the old value");
  expect(await ask("c")).toBe("value of c");
});

test("a failed load is not cached", async () => {
  const { cache, ask } = counted(minute);
  await expect(cache.getOrLoad("a", () => Promise.reject(new Error("not now")))).rejects.toThrow("not now");
  expect(await ask("a")).toBe("value of a");
});
