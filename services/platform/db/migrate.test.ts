import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { migrate } from "./migrate.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase({ schema: "bindings" });
});
afterAll(() => database.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-migrations-"));
  await mkdir(join(folder, "sql"));
});
afterEach(async () => {
  await database.query("drop table if exists one, two");
  await database.query("delete from schema_migration where name like 'bindings/%'");
  await rm(folder, { recursive: true });
});

function run(): Promise<string[]> {
  const migrations = pathToFileURL(join(folder, "sql/"));
  return migrate({ url: database.url, schema: "bindings", migrations, logger: silentLogger });
}

async function file(name: string, sql: string): Promise<void> {
  await writeFile(join(folder, "sql", name), sql);
}

async function applied(): Promise<unknown[]> {
  const { rows } = await database.query<{ name: string }>(
    "select name from schema_migration where name like 'bindings/%' order by name",
  );
  return rows.map(({ name }) => name);
}

test("files are applied in order, once, and later ones when they come", async () => {
  await file("0002_two.sql", "create table two (id integer references one);");
  await file("0001_one.sql", "create table one (id integer primary key); insert into one values (1);");
  await file("notes.md", "not SQL");
  expect(await run()).toEqual(["bindings/0001_one.sql", "bindings/0002_two.sql"]);
  expect(await run()).toEqual([]);
  await file("0003_three.sql", "alter table two add name text;");
  expect(await run()).toEqual(["bindings/0003_three.sql"]);
});

test("two processes that start at once do it once", async () => {
  await file("0001_one.sql", "create table one (id integer); select pg_sleep(0.2);");
  const results = await Promise.all([run(), run(), run()]);
  expect(results.flat()).toEqual(["bindings/0001_one.sql"]);
});

test("a file that fails leaves nothing of itself, what came before stays, and it can be tried again", async () => {
  await file("0001_one.sql", "create table one (id integer);");
  await file("0002_two.sql", "create table two (id integer); select nothing from nowhere;");
  await expect(run()).rejects.toThrow(/^Migration bindings\/0002_two.sql failed: relation "nowhere" does not exist$/);
  expect(await applied()).toEqual(["bindings/0001_one.sql"]);
  await file("0002_two.sql", "create table two (id integer);");
  expect(await run()).toEqual(["bindings/0002_two.sql"]);
});

test("a file that changed after it was applied is an error with a sentence", async () => {
  await file("0001_one.sql", "create table one (id integer);");
  await run();
  await file("0001_one.sql", "create table one (id bigint);");
  await expect(run()).rejects.toThrow("Migration bindings/0001_one.sql has changed since it was applied: restore it");
});

test("a file that comes before one that was applied is an error, and so are a number used twice and an odd name", async () => {
  await file("0002_two.sql", "create table two (id integer);");
  await run();
  await file("0001_one.sql", "create table one (id integer);");
  await expect(run()).rejects.toThrow("comes before bindings/0002_two.sql");
  await rm(join(folder, "sql/0001_one.sql"));
  await file("0002_other.sql", "select 1;");
  await expect(run()).rejects.toThrow("its number is taken");
  await rm(join(folder, "sql/0002_other.sql"));
  await file("3_three.sql", "select 1;");
  await expect(run()).rejects.toThrow("expected a name like 0001_what.sql");
});

test("what a later release applied is none of our business", async () => {
  await file("0001_one.sql", "create table one (id integer);");
  await file("0002_two.sql", "create table two (id integer);");
  await run();
  await rm(join(folder, "sql/0002_two.sql"));
  expect(await run()).toEqual([]);
});

test("a schema has the platform's tables", async () => {
  const { rows } = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() order by 1",
  );
  const names = rows.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["blob", "blob_chunk", "dead_event", "inbox", "outbox"]));
});
