import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { columnName, propertyName } from "./row-query.ts";
import type { RowOf } from "./types.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "rows" });
});
afterAll(() => db.dispose());

test("columns are camelCase properties, in and out of transactions, prepared or not", async () => {
  const sql = `select 1 as id, 'x' as smtp_utf8, null as lease_until, '{"inner_key": 1}'::json as trace_json, 2 as "asGiven"`;
  const row = { id: 1, smtpUtf8: "x", leaseUntil: null, traceJson: { inner_key: 1 }, asGiven: 2 };
  for (let round = 0; round < 2; round++) {
    expect((await db.query(sql)).rows).toEqual([row]);
    expect((await db.query(sql, [], { name: "rows" })).rows).toEqual([row]);
    expect((await db.tx((tx) => tx.query(sql))).rows).toEqual([row]);
  }
});

test("the columns of a prepared statement are described once for a connection", async () => {
  const describe = jest.spyOn(pg.Connection.prototype as unknown as { describe(portal: object): void }, "describe");
  const run = (count: number) =>
    db.query<{ at: number; nullText: string | null }>(
      "select at, null::text as null_text from generate_series(1, $1) as at",
      [count],
      { name: "described" },
    );
  await db.tx(async (tx) => {
    for (const count of [2, 0, 3]) {
      const { rows } = await tx.query("select at, null::text as null_text from generate_series(1, $1) as at", [count], {
        name: "described in a transaction",
      });
      expect(rows).toEqual(Array.from({ length: count }, (_, at) => ({ at: at + 1, nullText: null })));
    }
  });
  expect(describe).toHaveBeenCalledTimes(1);
  describe.mockRestore();
  // Another connection has them described by itself; several at once share it.
  const results = await Promise.all([1, 2, 3, 1].map(run));
  expect(results.map(({ rows }) => rows.length)).toEqual([1, 2, 3, 1]);
  expect(results[0]?.rows).toEqual([{ at: 1, nullText: null }]);
});

test("columns that change under a prepared statement fail it; they are never taken for others", async () => {
  await db.query("create table shape (first int, second text)");
  await db.query("insert into shape values (1, 'x')");
  const changed = db.tx(async (tx) => {
    const read = () => tx.query("select * from shape", [], { name: "shape" });
    expect((await read()).rows).toEqual([{ first: 1, second: "x" }]);
    await tx.query("alter table shape drop column first");
    await read();
  });
  await expect(changed).rejects.toThrow("cached plan must not change result type");
});

test("a column's name is no property, to the compiler", () => {
  type Property = keyof RowOf<{ id: number; lease_until: Date }>;
  const isHidden: "lease_until" extends Property ? false : true = true;
  expect(isHidden).toBe(true);
});

test.each([
  ["id", "id"],
  ["received_at", "receivedAt"],
  ["smtp_utf8", "smtpUtf8"],
  ["lease_s", "leaseS"],
])("%s is %s, and back", (column, property) => {
  expect([propertyName(column), columnName(property)]).toEqual([property, column]);
});
