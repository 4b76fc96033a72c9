import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../test/support/database.ts";
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
