import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/database.ts";
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
