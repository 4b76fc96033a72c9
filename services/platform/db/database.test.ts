import { once } from "node:events";
import { type AddressInfo, createServer, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { silentLogger, testDatabase, withoutConnections } from "../../../test/support/peers/database.ts";
import { Outage } from "../errors.ts";
import { openDatabase } from "./database.ts";
import { DatabaseError, isTransient, isUniqueViolation } from "./errors.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema: "bindings" });
  await database.query("create table holder (id integer primary key, name text)");
});
afterAll(() => database.dispose());

async function names(): Promise<unknown[]> {
  return (await database.query<{ name: string }>("select name from holder order by id")).rows.map(({ name }) => name);
}

test("values come out as the types say", async () => {
  const { rows, rowCount } = await database.query(
    `select count(*) as count, '2024-02-29'::date as date, 12.50::numeric as numeric, '{1,2}'::bigint[] as bigints,
       '2024-02-29 10:00:00.5+02'::timestamptz as at, '{"a":[1]}'::jsonb as json, '\\x00ff'::bytea as bytes, true as yes`,
  );
  expect(rowCount).toBe(1);
  expect(rows).toEqual([
    {
      count: 1,
      date: "2024-02-29",
      numeric: "12.50",
      bigints: [1, 2],
      at: new Date("2024-02-29T08:00:00.500Z"),
      json: { a: [1] },
      bytes: Buffer.from([0, 255]),
      yes: true,
    },
  ]);
});

test("a bigint that no number holds is an error, never rounded", async () => {
  await expect(database.query("select 9007199254740993::bigint")).rejects.toThrow("does not fit a number");
  expect((await database.query("select 9007199254740993::text as id")).rows).toEqual([{ id: "9007199254740993" }]);
});

test("buffers go in and come out exactly, alone and in arrays", async () => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const buffers = [every, Buffer.alloc(0), Buffer.from("\\x00")];
  const sql = "select bytes from unnest($1::bytea[]) with ordinality as given(bytes, position) order by position";
  const expected = buffers.map((bytes) => ({ bytes }));
  expect((await database.query(sql, [buffers])).rows).toEqual(expected);
  expect((await database.query("select $1::bytea as bytes", [every])).rows).toEqual([{ bytes: every }]);
  expect((await database.query(sql, [[]])).rows).toEqual([]);
});

test("octets go in and come out as they are, and a row that is refused leaves the connection good", async () => {
  await database.query("create table kept (place integer primary key, bytes bytea not null)");
  const every = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) & 255));
  const place = (number: number) => Buffer.from([0, 0, 0, number]);
  await database.copyRows("kept (place, bytes)", [
    [place(1), every],
    [place(2), Buffer.alloc(0)],
  ]);
  await expect(database.copyRows("kept (place, bytes)", [[place(1), every]])).rejects.toThrow(DatabaseError);
  const select = "select bytes from kept where place = any ($1) order by place";
  expect(await database.copyBytea(select, ["{1,2}"])).toEqual([every, Buffer.alloc(0)]);
  expect(await database.copyBytea(select, ["{3}"])).toEqual([]);
  await expect(database.copyBytea(select, ["{'"])).rejects.toThrow(DatabaseError);
  const many = Array.from({ length: 40 }, () =>
    database.copyBytea("select substring(bytes from $2) from kept where place = $1", [1, 299_990]),
  );
  for (const [bytes] of await Promise.all(many)) expect(bytes).toEqual(every.subarray(299_989));
});

test("rows go in with the statements around them, or none of it does", async () => {
  await database.query("create table poured (place integer primary key, bytes bytea)");
  const row = (number: number) => [Buffer.from([0, 0, 0, number]), Buffer.alloc(number * 10_000, number)];
  const pour = (into: string, from: number) =>
    database.tx((tx) =>
      Promise.all([
        tx.query("insert into poured values ($1)", [from]),
        tx.copyRows(into, [row(from + 1), row(from + 2)]),
        tx.query("insert into poured values ($1)", [from + 3]),
      ]),
    );
  await pour("poured (place, bytes)", 0);
  // Refused before the server would take a row, and after it has taken one.
  await expect(pour("elsewhere (place, bytes)", 11)).rejects.toThrow(DatabaseError);
  await expect(pour("poured (place, bytes)", 2)).rejects.toThrow(DatabaseError);
  const { rows } = await database.query("select place, bytes from poured order by place");
  expect(rows).toEqual([
    { place: 0, bytes: null },
    { place: 1, bytes: Buffer.alloc(10_000, 1) },
    { place: 2, bytes: Buffer.alloc(20_000, 2) },
    { place: 3, bytes: null },
  ]);
});

test("statements that a transaction makes at once go out in one write", async () => {
  await database.tx(async (tx) => {
    const writes = jest.spyOn(Socket.prototype as Required<Socket>, "_writev");
    try {
      const results = await Promise.all([1, 2, 3].map((number) => tx.query("select $1::integer as number", [number])));
      expect(results.map(({ rows }) => rows)).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]]);
      expect(writes).toHaveBeenCalledTimes(1);
    } finally {
      writes.mockRestore();
    }
  });
});

test("a transaction commits, then tells", async () => {
  const seen: unknown[] = [];
  const result = await database.tx(async (tx) => {
    await tx.query("insert into holder values (1, 'a')");
    tx.afterCommit(() => seen.push("committed"));
    expect(seen).toEqual([]);
    return "done";
  });
  expect(result).toBe("done");
  expect(seen).toEqual(["committed"]);
  expect(await names()).toEqual(["a"]);
});

test("what throws in a transaction rolls it back, tells nobody and comes out as it was", async () => {
  const fault = Object.assign(new Error("mine"), { syscall: "connect" });
  const attempt = database.tx(async (tx) => {
    tx.afterCommit(() => {
      throw new Error("told");
    });
    await tx.query("insert into holder values (2, 'b')");
    throw fault;
  });
  await expect(attempt).rejects.toBe(fault);
  expect(await names()).toEqual(["a"]);
});

test("a statement's failure that is caught does not make a commit of a rollback", async () => {
  const attempt = database.tx(async (tx) => {
    await tx.query("insert into holder values (3, 'c')");
    await tx.query("insert into holder values (3, 'c')").catch(() => "caught");
  });
  await expect(attempt).rejects.toThrow("rolled back");
  expect(await names()).toEqual(["a"]);
});

test("of statements that went out at once, the error of the one that failed is told, however late it is heard of", async () => {
  await database.query("create table single (place integer primary key)");
  const failed = database.tx((tx) => {
    const rows = [[Buffer.from([0, 0, 0, 1])], [Buffer.from([0, 0, 0, 1])]];
    return Promise.all([tx.copyRows("single (place)", rows).finally(() => delay(20)), tx.query("select 1")]);
  });
  await expect(failed).rejects.toMatchObject({ sqlState: "23505" });
});

test("a query after its transaction is an error, not part of somebody else's", async () => {
  const late = await database.tx(async (tx) => tx);
  await expect(late.query("select 1")).rejects.toThrow("an await is missing");
});

test("a broken constraint is told by its name", async () => {
  const error = await database.query("insert into holder values (1, 'again')").catch((thrown) => thrown);
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error).toMatchObject({ sqlState: "23505", constraint: "holder_pkey", table: "holder" });
  expect(isUniqueViolation(error, "holder_pkey")).toBe(true);
  expect(isUniqueViolation(error, "other")).toBe(false);
  expect(isTransient(error)).toBe(false);
});

test("a transaction that loses a race is run again if it may be", async () => {
  let attempts = 0;
  await database.tx(
    async (tx) => {
      attempts++;
      await tx.query("select name from holder where id = 1");
      if (attempts === 1) await database.query("update holder set name = 'first' where id = 1");
      await tx.query("update holder set name = name || ' second' where id = 1");
    },
    { isolation: "repeatable read", attempts: 2 },
  );
  expect(attempts).toBe(2);
  expect(await names()).toEqual(["first second"]);
});

test("a connection that is ended in use is an outage, and the next one works", async () => {
  const attempt = database.tx((tx) => tx.query("select pg_terminate_backend(pg_backend_pid())"));
  const error = await attempt.catch((thrown) => thrown);
  expect(error).toBeInstanceOf(Outage);
  expect(error).toMatchObject({ what: "database", sqlState: "57P01", status: 503 });
  await database.ping();
});

test("a database that refuses writes, takes no more connections, or is not there is an outage", async () => {
  const readOnly = database.tx(async (tx) => {
    await tx.query("set transaction read only");
    await tx.query("delete from holder");
  });
  await expect(readOnly).rejects.toMatchObject({ what: "database", sqlState: "25006" });

  const refused = openDatabase({ url: database.url, schema: "bindings", logger: silentLogger });
  // As another test file has it: of the same template, and so of the same role.
  const other = await testDatabase({ schema: "bindings" });
  await withoutConnections(database, async () => {
    await expect(refused.ping()).rejects.toMatchObject({ what: "database", sqlState: "53300" });
    await other.ping();
  });
  await other.dispose();
  await refused.ping();
  await refused.close();
  await expect(refused.ping()).rejects.toBeInstanceOf(Outage);

  const nobody = openDatabase({ url: "postgres://a:b@127.0.0.1:1/x", schema: "x", logger: silentLogger });
  await expect(nobody.ping()).rejects.toBeInstanceOf(Outage);
  await expect(nobody.tx((tx) => tx.query("select 1"))).rejects.toBeInstanceOf(Outage);
  await nobody.close();
});

test("a statement that runs too long is an outage", async () => {
  const hasty = openDatabase({ url: database.url, schema: "bindings", logger: silentLogger, statementTimeoutMs: 50 });
  await expect(hasty.query("select pg_sleep(30)")).rejects.toMatchObject({ what: "database", sqlState: "57014" });
  await hasty.close();
});

test("a fault in a statement stays a fault", async () => {
  await expect(database.query("select nothing from nowhere")).rejects.toMatchObject({ sqlState: "42P01" });
});

test("a connection that is ended in the packet that says it is ready is an outage, and no fault of the process", async () => {
  const message = (type: string, ...content: string[]) => {
    const bytes = Buffer.from(`${type}0000${content.join("")}`);
    bytes.writeInt32BE(bytes.length - 1, 1);
    return bytes;
  };
  // PostgreSQL, "Message Formats": AuthenticationOk, ReadyForQuery, and ErrorResponse of a server that shuts down.
  const ended = message("E", "SFATAL\0", "C57P01\0", "Mterminating connection\0", "\0");
  const greeting = Buffer.concat([message("R", "\0\0\0\0"), message("Z", "I"), ended]);
  const server = createServer((socket) => {
    socket.once("data", () => socket.end(greeting)).on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ending = openDatabase({ url: `postgres://a:b@127.0.0.1:${port}/x`, schema: "x", logger: silentLogger });
  await expect(ending.tx((tx) => tx.query("select 1"))).rejects.toBeInstanceOf(Outage);
  await expect(ending.query("select 1")).rejects.toBeInstanceOf(Outage);
  await ending.close();
  server.close();
});
