import { expect, test } from "@jest/globals";
import { ShortMemory } from "./ttl-cache.ts";

/** A memory, and a way to ask it that counts how often something had to be found. */
function memory(options: { lifetimeMs: number; limit: number }) {
  const short = new ShortMemory<string>(options);
  const found: string[] = [];
  const ask = (key: string) =>
    short.recall(key, async () => {
      found.push(key);
      return `value of ${key}`;
    });
  return { short, found, ask };
}

test("what was found is known to whoever asks next, and not for ever", async () => {
  const lasting = memory({ lifetimeMs: 60_000, limit: 10 });
  for (let round = 0; round < 3; round++) expect(await lasting.ask("a")).toBe("value of a");
  expect(lasting.found).toEqual(["a"]);
  const fleeting = memory({ lifetimeMs: 0, limit: 10 });
  for (let round = 0; round < 3; round++) await fleeting.ask("a");
  expect(fleeting.found).toEqual(["a", "a", "a"]);
});

test("of too many the oldest go", async () => {
  const { found, ask } = memory({ lifetimeMs: 60_000, limit: 2 });
  for (const key of ["a", "b", "c", "c", "b", "a"]) await ask(key);
  expect(found).toEqual(["a", "b", "c", "a"]);
});

test("what is forgotten has to be found again, also where it was being found just then", async () => {
  const { short, found, ask } = memory({ lifetimeMs: 60_000, limit: 10 });
  await Promise.all([ask("a"), ask("b")]);
  short.forget((value) => value === "value of a");
  await Promise.all([ask("a"), ask("b")]);
  expect(found).toEqual(["a", "b", "a"]);

  const { promise, resolve } = Promise.withResolvers<string>();
  const old = short.recall("c", () => promise);
  short.forget(() => false);
  resolve("the old value");
  expect(await old).toBe("the old value");
  expect(await ask("c")).toBe("value of c");
});

test("a failure is not remembered", async () => {
  const { short, ask } = memory({ lifetimeMs: 60_000, limit: 10 });
  await expect(short.recall("a", () => Promise.reject(new Error("not now")))).rejects.toThrow("not now");
  expect(await ask("a")).toBe("value of a");
});
