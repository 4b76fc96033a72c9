import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Outage } from "../errors.ts";
import { Batcher } from "./batcher.ts";

const limit = 50;

describe("a batcher in order, which repeats what fails", () => {
  function ordered(process: (batch: readonly number[]) => Promise<void>) {
    const errors: unknown[] = [];
    const batcher = new Batcher<number, number>({
      slots: 1,
      maxItems: limit,
      spacing: { times: 3, atMostMs: 1 },
      onFailure: { afterMs: 1, onError: (error) => errors.push(error) },
      run: async (items) => {
        await process(items);
        return items;
      },
    });
    return { batcher, errors };
  }

  test("runs what is submitted once, in order, in batches within the limit, and gives each its own results", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: limit }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sizes, async (given) => {
        const batches: number[][] = [];
        const { batcher } = ordered(async (batch) => {
          await Promise.resolve();
          batches.push([...batch]);
        });
        let next = 0;
        const submissions = given.map((size) => Array.from({ length: size }, () => next++));
        const results = await Promise.all(submissions.map((items) => batcher.submitAll(items)));
        expect(results).toEqual(submissions);
        expect(batches.flat()).toEqual(submissions.flat());
        expect(Math.max(0, ...batches.map((batch) => batch.length))).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 30 },
    );
  });

  test("makes one batch of what gathers while another is processed", async () => {
    const batches: number[][] = [];
    const begun = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    const { batcher } = ordered(async (batch) => {
      batches.push([...batch]);
      begun.resolve();
      if (batches.length === 1) await first.promise;
    });
    const one = batcher.submit(1);
    await begun.promise;
    const others = [2, 3].map((item) => batcher.submit(item));
    first.resolve();
    expect(await Promise.all([one, ...others])).toEqual([1, 2, 3]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  /** After its first batch none is taken for the sake of time before a test is given up. */
  function farApart(options: { maxItems: number; enoughShare?: number }) {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>({
      ...options,
      slots: 1,
      spacing: { times: 1_000_000, atMostMs: 3_600_000 },
      onFailure: "isolate",
      run: async (items) => {
        batches.push([...items]);
        await delay(5);
        return items;
      },
    });
    return { batcher, batches };
  }

  test("takes what waits together with what may not wait as long", async () => {
    const { batcher, batches } = farApart({ maxItems: limit });
    await batcher.submit(1);
    const patient = batcher.submit(2);
    // Its timer is set by now.
    await turn();
    await turn();
    const urgent = batcher.submitAll([3], { times: 1, atMostMs: 0 });
    await Promise.all([patient, urgent]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test("waits no longer once as many wait as were in the former batches", async () => {
    const { batcher, batches } = farApart({ maxItems: 100, enoughShare: 0.8 });
    const submit = (count: number) => Array.from({ length: count }, (_, item) => batcher.submit(item));
    await Promise.all(submit(10));
    const some = submit(7);
    await delay(20);
    expect(batches).toHaveLength(1);
    await Promise.all([...some, ...submit(1)]);
    expect(batches.map(({ length }) => length)).toEqual([10, 8]);
  });

  test("waits no longer once a batch is full", async () => {
    const { batcher, batches } = farApart({ maxItems: 4 });
    await batcher.submit(1);
    const some = [batcher.submitAll([2, 3]), batcher.submit(4)];
    await delay(20);
    expect(batches).toEqual([[1]]);
    await Promise.all([...some, batcher.submit(5)]);
    expect(batches).toEqual([[1], [2, 3, 4, 5]]);
  });

  test("leaves nothing lying that is submitted by the caller that waited for the last one", async () => {
    const { batcher } = ordered(() => Promise.resolve());
    for (let item = 0; item < 20; item++) expect(await batcher.submit(item)).toBe(item);
  });

  test("ends the batch in progress when it stops, and refuses the rest", async () => {
    const begun = Promise.withResolvers<void>();
    const inProgress = Promise.withResolvers<void>();
    const { batcher } = ordered(() => {
      begun.resolve();
      return inProgress.promise;
    });
    const first = batcher.submit(1);
    await begun.promise;
    const outcomes = Promise.allSettled([first, batcher.submit(2)]);
    const stopped = batcher.stop();
    inProgress.resolve();
    await stopped;
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(batcher.submit(3)).rejects.toThrow("aborted");
  });

  test("keeps a batch that failed, says so, and runs it again", async () => {
    let runs = 0;
    const { batcher, errors } = ordered(async () => {
      runs += 1;
      if (runs < 3) throw new Error("a bug");
    });
    await batcher.submit(1);
    expect([runs, errors.length]).toEqual([3, 2]);
  });
});

describe("a batcher that isolates what fails", () => {
  function isolating(run: (items: readonly string[]) => Promise<readonly string[]>) {
    return new Batcher<string, string>({ slots: 2, maxItems: limit, onFailure: "isolate", run });
  }
  const settled = async (promises: readonly Promise<string>[]) =>
    (await Promise.allSettled(promises)).map((each) =>
      each.status === "fulfilled" ? each.value : String(each.reason),
    );

  test("lets only the bad item fail", async () => {
    const batches: (readonly string[])[] = [];
    const batcher = isolating(async (items) => {
      batches.push(items);
      if (items.includes("bad")) throw new Error("this one is bad");
      return items.map((item) => item.toUpperCase());
    });
    expect(await settled(["a", "bad", "b"].map((item) => batcher.submit(item)))).toEqual([
      "A",
      "Error: this one is bad",
      "B",
    ]);
    expect(batches).toEqual([["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
  });

  test("fails all of a batch by an outage, and runs none of it alone", async () => {
    let runs = 0;
    const batcher = isolating(async () => {
      runs += 1;
      throw new Outage("database");
    });
    const submitted = [batcher.submit("a"), batcher.submit("b")];
    await Promise.all(submitted.map((each) => expect(each).rejects.toBeInstanceOf(Outage)));
    expect(runs).toBe(1);
  });

  test("shares a call by all that is submitted in one turn", async () => {
    const sizes: number[] = [];
    const batcher = isolating(async (items) => {
      sizes.push(items.length);
      return items;
    });
    const all = [batcher.submit("a"), batcher.submit("b"), batcher.submit("c")];
    await turn();
    await Promise.all(all);
    expect(sizes).toEqual([3]);
  });
});
