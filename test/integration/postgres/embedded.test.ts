import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, realpath, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { openDatabase } from "../../../services/platform/db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../services/platform/db/embedded.ts";
import { ConfigurationError, Outage } from "../../../services/platform/errors.ts";
import { eventually } from "../../support/eventually.ts";
import { processes } from "../../support/installation/processes.ts";
import { silentLogger as logger } from "../../support/peers/database.ts";
import { fastFolder } from "../../support/run/run-folder.ts";

let root: string;
let dataDir: string;
const owners: ChildProcess[] = [];
const started: EmbeddedPostgres[] = [];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(await fastFolder(2 * 1024 ** 3), "postern-embedded-")));
  dataDir = join(root, "data");
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
  for (const owner of owners.splice(0)) {
    owner.stdin?.end();
    if (owner.exitCode === null && owner.signalCode === null) await once(owner, "exit");
  }
  expect(await ofServer()).toEqual([]);
  await rm(root, { recursive: true });
});

/** What runs on our folder: the server's processes have it as their working folder, the watchdog in its arguments. */
async function ofServer(): Promise<string[]> {
  const all = await processes();
  return all
    .filter(
      ({ workingFolder, command }) =>
        workingFolder.startsWith(root) || (/watchdog\.sh/.test(command) && command.includes(root)),
    )
    .map(({ pid, command }) => `${pid} ${command}`);
}

async function pidOf(what: RegExp): Promise<number> {
  const found = (await ofServer()).find((line) => what.test(line));
  if (!found) throw new Error(`nothing like ${what} runs`);
  return Number.parseInt(found, 10);
}
const postmaster = /bin\/postgres -D/;
const watchdog = /watchdog\.sh/;

const socketsIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith(".s.")).sort();

/** A server that this process owns. */
async function start({ adopt = false } = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, logger, adopt });
  started.push(server);
  return server;
}

/** Another process that owns a server on our folder. */
async function startOwner(): Promise<{ owner: ChildProcess; url: string }> {
  const { owner, url, error } = await tryToOwn();
  if (!url) throw new Error(`the owner has no server: ${error}`);
  return { owner, url };
}

/** Another process that owns a server on our folder, or its error. */
async function tryToOwn(): Promise<{ owner: ChildProcess; url?: string; error?: string }> {
  const script = join(import.meta.dirname, "embedded-owner.ts");
  const owner = spawn(process.execPath, [script, dataDir], { stdio: ["pipe", "pipe", "inherit"] });
  owners.push(owner);
  const [line] = await once(createInterface(owner.stdout), "line");
  return { owner, ...JSON.parse(line) };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = openDatabase({ url, schema: "public", logger, poolSize: 1 });
  try {
    return (await database.query(sql)).rows;
  } finally {
    await database.close();
  }
}

test("what is written is there after a stop and another start, and durability is not traded", async () => {
  const first = await start();
  await query(first.url, "create table kept as select 1 as id");
  const settings =
    "select string_agg(setting, ',') as on from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')";
  expect(await query(first.url, settings)).toEqual([{ on: "on,on,on" }]);
  await first.stop();
  expect(await ofServer()).toEqual([]);

  const second = await start();
  expect(await query(second.url, "select id from kept")).toEqual([{ id: 1 }]);
  await second.stop();
});

test("a folder that only we may enter will do, and stays as it is", async () => {
  await chmod(root, 0o700);
  const server = await start();
  expect(await query(server.url, "select 1 as id")).toEqual([{ id: 1 }]);
  await server.stop();
  expect((await stat(root)).mode & 0o777).toBe(0o700);
});

test("it is reached through a socket in its data directory, and over TCP where that has too long a name for a socket", async () => {
  const connection = "select host(inet_client_addr()) as peer";
  const server = await start();
  expect(await query(server.url, connection)).toEqual([{ peer: null }]);
  await server.stop();

  dataDir = join(root, "long".repeat(25));
  const far = await start();
  expect(await query(far.url, connection)).toEqual([{ peer: "127.0.0.1" }]);
  await far.stop();
});

test("the password is needed, and nobody else can read it", async () => {
  const server = await start();
  const url = new URL(server.url);
  url.password = "guessed";
  await expect(query(url.href, "select 1")).rejects.toMatchObject({ sqlState: "28P01" });
  expect((await stat(join(dataDir, "postgres"))).mode & 0o077).toBe(0);
  await server.stop();
});

test("when its owner is killed the server ends by itself, soon", async () => {
  const { owner } = await startOwner();
  owner.kill("SIGKILL");
  await eventually(async () => expect(await ofServer()).toEqual([]));
});

test("when its owner is killed the next start waits for no one, and what was committed is there", async () => {
  const { owner, url } = await startOwner();
  await query(url, "create table kept as select 1 as id");
  owner.kill("SIGKILL");
  const next = await startOwner();
  expect(await query(next.url, "select id from kept")).toEqual([{ id: 1 }]);
});

test("a watchdog that comes late leaves the next owner's server alone", async () => {
  const { owner } = await startOwner();
  const late = await pidOf(watchdog);
  process.kill(late, "SIGSTOP");
  owner.kill("SIGKILL");
  const next = await startOwner();
  const server = await pidOf(postmaster);
  process.kill(late, "SIGCONT");
  await eventually(async () => expect((await ofServer()).some((line) => line.startsWith(`${late} `))).toBe(false));
  expect(await pidOf(postmaster)).toBe(server);
  expect(await query(next.url, "select 1 as id")).toEqual([{ id: 1 }]);
});

test("a server without owner and watchdog is taken over by the next start", async () => {
  const { owner, url } = await startOwner();
  await query(url, "create table kept as select 1 as id");
  process.kill(await pidOf(watchdog), "SIGKILL");
  owner.kill("SIGKILL");
  await once(owner, "exit");
  expect(await ofServer()).not.toEqual([]);

  const next = await start();
  expect(await query(next.url, "select id from kept")).toEqual([{ id: 1 }]);
  await next.stop();
});

test("what a server that was killed with everything else left behind does not stop the next one", async () => {
  const { owner } = await startOwner();
  const server = await pidOf(postmaster);
  process.kill(await pidOf(watchdog), "SIGKILL");
  owner.kill("SIGKILL");
  process.kill(server, "SIGKILL");
  // The number in postmaster.pid is some other process's by now, as after a restart of the machine.
  const pidFile = join(dataDir, "postgres/data/postmaster.pid");
  await writeFile(pidFile, `${process.pid}\n/elsewhere\n0\n1\n\n\n\nready   \n`);
  const next = await startOwner();
  expect(await query(next.url, "select 1 as id")).toEqual([{ id: 1 }]);
  const { port } = new URL(next.url);
  expect(await socketsIn(join(dataDir, "postgres/data"))).toEqual([`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]);
});

test("a lock file that a start was killed over before it had written it does not stop the next one", async () => {
  await (await start()).stop();
  const pidFile = join(dataDir, "postgres/data/postmaster.pid");
  await writeFile(pidFile, "");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(pidFile, longAgo, longAgo);
  expect(await query((await start()).url, "select 1 as id")).toEqual([{ id: 1 }]);
});

test("a server that dies is started again where its clients look for it", async () => {
  const server = await start();
  const database = openDatabase({ url: server.url, schema: "public", logger });
  await database.query("create table kept as select 1 as id");
  process.kill(await pidOf(postmaster), "SIGKILL");
  await eventually(async () => expect((await database.query("select id from kept")).rows).toEqual([{ id: 1 }]));

  // A crash of one of its own processes ends all sessions, that of the owner too: it is the owner all the same.
  const crashed = database.tx(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
    process.kill(rows[0]?.pid ?? 0, "SIGSEGV");
    await tx.query("select pg_sleep(10)");
  });
  await expect(crashed).rejects.toBeInstanceOf(Outage);
  await eventually(() => database.ping());
  await eventually(async () => expect((await tryToOwn()).error).toMatch(/is running on/));
  await database.close();
  await server.stop();
});

test("a second process on the same folder is told so, by name of the variable and the first one's number", async () => {
  const { owner, url } = await startOwner();
  const attempt = start();
  await expect(attempt).rejects.toBeInstanceOf(ConfigurationError);
  await expect(attempt).rejects.toThrow(`DATA_DIR: process ${owner.pid} is running on`);
  expect(await query(url, "select 1 as id")).toEqual([{ id: 1 }]);
});

test("of several processes that start at once on an empty folder one gets it, and the others are told", async () => {
  const outcomes = await Promise.all([tryToOwn(), tryToOwn(), tryToOwn()]);
  expect(outcomes.map(({ error }) => (error ? "told" : "runs")).sort()).toEqual(["runs", "told", "told"]);
  const url = outcomes.find(({ error }) => !error)?.url;
  expect(await query(url ?? "", "select 1 as id")).toEqual([{ id: 1 }]);
});

test("who adopts uses the running server and leaves it be, or starts one and stops it", async () => {
  const { url } = await startOwner();
  const adopted = await start({ adopt: true });
  expect(adopted.url).toBe(url);
  await adopted.stop();
  expect(await query(url, "select 1 as id")).toEqual([{ id: 1 }]);

  dataDir = join(root, "other");
  const own = await start({ adopt: true });
  expect(await query(own.url, "select 1 as id")).toEqual([{ id: 1 }]);
  await own.stop();
  expect(await pidOf(postmaster)).toBeGreaterThan(1);
});

test("a server that cannot start says why, and leaves no process", async () => {
  const first = await start();
  await first.stop();
  await writeFile(join(dataDir, "postgres/data/PG_VERSION"), "9.6\n");
  await expect(start()).rejects.toThrow("not compatible with this version");
});
