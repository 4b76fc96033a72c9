import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../ids.ts";
import { recordSet } from "./record-set.ts";

const things = recordSet({
  id: "uuid",
  digest: "bytea",
  friendIds: "uuid[]",
  shortName: "text",
  isOpen: "boolean",
  count: "integer",
  sizeBytes: "bigint",
  ratio: "float8",
  madeAt: "timestamptz",
  extra: "jsonb",
  raw: "json",
});
const nothing = { friendIds: null, shortName: null, isOpen: null, count: null, sizeBytes: null, ratio: null };
const bare = { ...nothing, madeAt: null, extra: null, raw: null };

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "sets" });
  await db.query(`create table thing (id uuid, digest bytea, friend_ids uuid[], short_name text, is_open boolean, count integer,
    size_bytes bigint, ratio float8, made_at timestamptz, extra jsonb, raw json)`);
});
afterAll(() => db.dispose());

test("values of every type arrive as they are, what is absent as null", async () => {
  const full = {
    id: newId(),
    digest: Buffer.from([0, 1, 255]),
    friendIds: [newId(), newId()],
    shortName: `"quoted" \\ {braces}, NULL 'and' ünïcode 😀`,
    isOpen: false,
    count: -7,
    sizeBytes: 2 ** 40,
    ratio: 0.1,
    madeAt: new Date("2026-01-02T03:04:05.678Z"),
    extra: { b: [1, null], a: "x" },
    raw: [{ name: "Subject", value: "z" }],
  };
  const empty = { id: newId(), digest: null, ...bare };
  await db.query(
    `insert into thing (${things.columns}) select * from ${things.from("given")}`,
    things.params([full, empty]),
  );
  const { rows } = await db.query("select * from thing order by id");
  expect(rows).toEqual([full, empty]);
});

test("any text arrives as it is, a lone surrogate as UTF-8 has it", async () => {
  const texts = recordSet({ given: "text" });
  const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(text, fc.constantFrom("\ud800", "a\udfffb", "\\ud800")), { maxLength: 5 }),
      async (given) => {
        const { rows } = await db.query<{ given: string }>(
          `select given from ${texts.fromOrdered("text")} order by position`,
          texts.params(given.map((each) => ({ given: each }))),
        );
        expect(rows.map((row) => row.given)).toEqual(given.map((each) => each.toWellFormed()));
      },
    ),
  );
});

test("it stands beside other parameters, and alone with binary columns", async () => {
  const pairs = recordSet({ digest: "bytea", name: "text" });
  const { rows } = await db.query(
    `select name, digest, position from ${pairs.fromOrdered("pair", 2)} where name <> $1 order by position`,
    ["b", ...pairs.params(["a", "b", "c"].map((name) => ({ name, digest: Buffer.from(name) })))],
  );
  expect(rows).toEqual([
    { name: "a", digest: Buffer.from("a"), position: 1 },
    { name: "c", digest: Buffer.from("c"), position: 3 },
  ]);
  const digests = recordSet({ digest: "bytea" });
  const found = await db.query(
    `select digest from ${digests.from("given")}`,
    digests.params([{ digest: Buffer.of(1) }]),
  );
  expect(found.rows).toEqual([{ digest: Buffer.of(1) }]);
});

test("numbers and times arrive as they are, to the ends of their types", async () => {
  const numbers = recordSet({ count: "integer", size: "bigint", ratio: "float8", at: "timestamptz" });
  const row = fc.record({
    count: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    size: fc.maxSafeInteger(),
    ratio: fc.double({ noNaN: true }),
    at: fc.date({ min: new Date("1750-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (given) => {
      const { rows } = await db.query(
        `select count, size, ratio, at from ${numbers.fromOrdered("given")} order by position`,
        numbers.params(given),
      );
      expect(rows).toEqual(given);
    }),
  );
});

test("a UUID may be in capitals and without hyphens, as PostgreSQL takes it", async () => {
  const ids = recordSet({ id: "uuid" });
  const id = newId();
  const given = [id, id.toUpperCase(), id.replaceAll("-", "")];
  const { rows } = await db.query(`select id from ${ids.from("given")}`, ids.params(given.map((id) => ({ id }))));
  expect(rows).toEqual([{ id }, { id }, { id }]);
});

test.each([
  ["uuid", "", "not a UUID"],
  ["uuid", "0189c0c6-7a53-7d6c-8d1c-0c3f0a2c9b1", "not a UUID"],
  ["uuid", "0189c0c6-7a53-7d6c-8d1c-0c3f0a2c9b1g", "not a UUID"],
  ["uuid", "0189c0c6-7a53-7d6c-8d1c-0c3f0a2c9b1f0", "not a UUID"],
  ["uuid", "0189c0c67-a53-7d6c-8d1c-0c3f0a2c9b1f", "not a UUID"],
  ["uuid", "\u0130189c0c6-7a53-7d6c-8d1c-0c3f0a2c9b1", "not a UUID"],
  ["integer", 2 ** 31, "out of range"],
  ["integer", 0.5, "not an integer"],
  ["bigint", 2 ** 53, "not an integer"],
  ["bigint", Number.NaN, "not an integer"],
  ["timestamptz", new Date(Number.NaN), "not an integer"],
] as const)("a %s is never made of %p", (type, value, message) => {
  expect(() => recordSet({ value: type }).params([{ value: value as never }])).toThrow(message);
});

test("a set may be empty", async () => {
  const { rows } = await db.query(`select * from ${things.from("given")}`, things.params([]));
  expect(rows).toEqual([]);
});

test("one plan serves for sets of any size", async () => {
  const ids = recordSet({ id: "uuid" });
  await db.tx(async (tx) => {
    await tx.query(
      "create temporary table known on commit drop as select gen_random_uuid() as id from generate_series(1, 100000)",
    );
    await tx.query("create index on known (id)");
    await tx.query("analyze known");
    for (let size = 1; size <= 12; size++)
      await tx.query(
        `select known.id from ${ids.from("given")} join known using (id)`,
        ids.params(Array.from({ length: size % 4 }, () => ({ id: newId() }))),
        { name: "one_plan" },
      );
    const { rows } = await tx.query(
      "select generic_plans::int, custom_plans::int from pg_prepared_statements where name = 'one_plan'",
    );
    // PostgreSQL plans the first five for their parameters (plan_cache_mode).
    expect(rows).toEqual([{ genericPlans: 7, customPlans: 5 }]);
  });
});
