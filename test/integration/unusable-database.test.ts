import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { builtProgram } from "../../scripts/services/built.ts";
import { asSuperuser, emptyDatabase } from "../support/peers/database.ts";

const secretKey = "k".repeat(32);
const role = `powerless_${process.pid}`;

let folder: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-unusable-database-"));
});
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.dispose());
afterAll(() => rm(folder, { recursive: true }));

function start(environment: Readonly<Record<string, string>>, target = "all") {
  const env = { PATH: process.env["PATH"], DATA_DIR: folder, SECRET_KEY: secretKey, ...environment };
  const command = [builtProgram("main"), `--target=${target}`];
  return spawnSync(process.execPath, command, { env, encoding: "utf8", timeout: 60_000 });
}

/** The database's URL with something changed. */
function changed(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

const schemas = () =>
  asSuperuser(database.url, "select nspname from pg_namespace where nspname in ('auth', 'platform', 'ingress')");

test.each<[string, (url: URL) => void, RegExp]>([
  ["a name that does not resolve", (url) => url.searchParams.set("host", "database.invalid"), /ENOTFOUND|EAI_AGAIN/],
  ["a database that is not there", (url) => (url.pathname = "/absent"), /database "absent" does not exist/],
  ["TLS that the server has not", (url) => url.searchParams.set("sslmode", "verify-full"), /does not support SSL/],
  // Of which the driver says in lines of its own that it takes them for the former.
  ["the same by sslmode=require", (url) => url.searchParams.set("sslmode", "require"), /does not support SSL/],
])("%s is named with its variable, in a line", async (_, change, reason) => {
  const { stderr, stdout, status } = start({ DATABASE_URL: changed(change) });
  expect(stderr).toMatch(/^Cannot start: DATABASE_URL: database is out of reach: [^\n]*\n$/);
  expect(stderr).toMatch(reason);
  expect(stdout).not.toContain('"stack"');
  expect(status).toBe(1);
  expect(await schemas()).toEqual([]);
});

test("a file that DATABASE_URL names and that is not there is a fault of the configuration", async () => {
  const url = changed((each) => (each.search = "?sslmode=verify-full&sslrootcert=/absent/authority.pem"));
  const { stderr, status } = start({ DATABASE_URL: url });
  expect(stderr).toMatch(/^The configuration has a fault:\n {2}DATABASE_URL: ENOENT: [^\n]*authority\.pem'\n$/);
  expect(status).toBe(78);
});

test("a service's own database in which its role may do nothing is a fault of the configuration, and its password is not told", async () => {
  await asSuperuser(database.url, `create role ${role} login password 'not-so-secret'`);
  const url = changed((each) => {
    each.username = role;
    each.password = "not-so-secret";
  });
  const { stderr, stdout, status } = start({ AUTH_DATABASE_URL: url, KAFKA_BROKERS: "127.0.0.1:1" }, "auth");
  await asSuperuser(database.url, `drop role ${role}`);
  expect(stderr).toMatch(/^The configuration has a fault:\n {2}AUTH_DATABASE_URL: its role may not [^\n]*\n$/);
  expect(stdout + stderr).not.toContain("not-so-secret");
  expect(status).toBe(78);
});
