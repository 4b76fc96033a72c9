import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { asSuperuser, silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { openDatabase } from "./database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema: "bindings" });
});
afterAll(() => database.dispose());

async function notify(channel: string, payload: string): Promise<void> {
  await database.query("select pg_notify($1, $2)", [channel, payload]);
}

/** As a restart of the server or a broken network would end it. */
async function endListening(): Promise<void> {
  const sql =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~ '^listen'";
  await asSuperuser(database.adminUrl, sql);
}

test("each notification is told once, to those who listen to its channel", async () => {
  const [first, second]: [unknown[], unknown[]] = [[], []];
  const endFirst = await database.listen("first", (payload) => first.push(payload));
  const endSecond = await database.listen('se"cond', (payload) => second.push(payload));
  await notify("first", "1");
  await notify('se"cond', "2");
  await notify("third", "3");
  await eventually(() => expect([first, second]).toEqual([["1"], ["2"]]));

  await endFirst();
  await notify("first", "4");
  await notify('se"cond', "5");
  await eventually(() => expect(second).toEqual(["2", "5"]));
  expect(first).toEqual(["1"]);
  await endSecond();
});

test("after a lost connection it is said that something may have been missed, and listening goes on", async () => {
  const told: unknown[] = [];
  const end = await database.listen("channel", (payload) => told.push(payload));
  await endListening();
  await eventually(() => expect(told).toStrictEqual([undefined]));
  await notify("channel", "again");
  await eventually(() => expect(told).toStrictEqual([undefined, "again"]));
  await end();
});

test("a transaction that is rolled back notifies nobody", async () => {
  const told: unknown[] = [];
  const end = await database.listen("channel", (payload) => told.push(payload));
  const attempt = database.tx(async (tx) => {
    await tx.query("select pg_notify('channel', 'never')");
    throw new Error("no");
  });
  await expect(attempt).rejects.toThrow("no");
  await notify("channel", "last");
  await eventually(() => expect(told).toEqual(["last"]));
  await end();
});

test("with no database it goes on trying, and can be closed", async () => {
  const nobody = openDatabase({ url: "postgres://a:b@127.0.0.1:1/x", schema: "x", logger: silentLogger });
  const end = await nobody.listen("channel", () => undefined);
  await end();
  await nobody.close();
});
