import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { Outage } from "../errors.ts";
import { DatabaseError } from "./errors.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema: "bindings" });
});
afterAll(() => database.dispose());

const gathered = { gathered: true };

/** Takes so long that who waits for the connection gets another. */
const backendOf = async (options: { gathered?: boolean }, seconds = 0) => {
  const sql = "select pg_backend_pid() as pid, pg_sleep($1)";
  return (await database.query<{ pid: number }>(sql, [seconds], options)).rows[0]?.pid;
};

test("reads of one moment share connections, eight each; others do not", async () => {
  const together = await Promise.all(Array.from({ length: 20 }, () => backendOf(gathered, 0.2)));
  expect(new Set(together).size).toBe(3);
  const apart = await Promise.all(Array.from({ length: 5 }, () => backendOf({}, 2)));
  expect(new Set(apart).size).toBe(5);
});

test("each gets its own answer, and one that fails fails alone", async () => {
  const divide = (by: number) => database.query("select 12 / $1::int as quotient", [by], gathered);
  const [third, failed, half] = await Promise.allSettled([divide(3), divide(0), divide(2)]);
  expect(third).toMatchObject({ status: "fulfilled", value: { rows: [{ quotient: 4 }] } });
  expect(failed).toMatchObject({ status: "rejected", reason: expect.any(DatabaseError) });
  expect(half).toMatchObject({ status: "fulfilled", value: { rows: [{ quotient: 6 }] } });
});

test("a connection that is lost is an outage of all that went over it, and of nothing afterwards", async () => {
  const kill = () => database.query("select pg_terminate_backend(pg_backend_pid()), $1::int", [1], gathered);
  const outcomes = await Promise.allSettled([kill(), backendOf(gathered), backendOf(gathered)]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(Outage) });
  expect(await backendOf(gathered)).toEqual(expect.any(Number));
});
