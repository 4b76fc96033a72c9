import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ServiceProcess } from "../../scripts/fleet/service-process.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { builtProgram } from "../../scripts/services/built.ts";
import { eventually } from "../support/eventually.ts";
import { asSuperuser, emptyDatabase } from "../support/peers/database.ts";

const [right, other] = ["right", "other"].map((word) => word.repeat(8)) as [string, string];
const schemas = ["auth", "bindings", "ingress", "mailbox", "forwarder", "webhook"];
const refused = {
  stderr: expect.stringMatching(
    /^The configuration has a fault:\n {2}SECRET_KEY: is not the one that [^\n]*SECRET_KEY_PREVIOUS[^\n]*\n$/,
  ),
  status: 78,
};

let folder: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let ports: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-wrong-secret-key-"));
  database = await emptyDatabase();
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  ports = { HTTP_PORT: `${httpPort}`, SMTP_PORT: `${smtpPort}` };
});
afterEach(async () => {
  await database.dispose();
  await rm(folder, { recursive: true });
});

type Variables = Readonly<Record<string, string | undefined>>;

const environment = (more: Variables) => ({ PATH: process.env["PATH"], DATA_DIR: folder, ...ports, ...more });

function run(program: "main" | "admin", words: readonly string[], more: Variables) {
  const env = environment(more);
  return spawnSync(process.execPath, [builtProgram(program), ...words], { env, encoding: "utf8", timeout: 60_000 });
}

/** Starts everything once, so that all is made that a start makes. @returns what it said */
async function startOnce(more: Variables): Promise<string> {
  const lines: string[] = [];
  const healthUrl = `http://127.0.0.1:${ports["HTTP_PORT"]}`;
  const onLine = (line: string) => lines.push(line);
  const postern = new ServiceProcess({ target: "all", environment: environment(more), healthUrl, onLine });
  postern.start();
  try {
    await eventually(() => expect(lines.join("\n")).toContain("Postern is ready."));
  } finally {
    await postern.stop();
  }
  return lines.join("\n");
}

const migrate = (more: Variables) => run("admin", ["migrate"], { DATABASE_URL: database.url, ...more });

/** What a wrong key must not touch: the roles' passwords, the keys of bearer tokens and of signatures, and how the schemas are made. */
async function kept() {
  const passwords =
    "select rolname, rolpassword from pg_authid where rolname like current_database() || '\\_%' order by 1";
  const made = schemas.map((schema) => `select '${schema}' as of, name from ${schema}.schema_migration`);
  return Promise.all([
    asSuperuser(database.url, passwords),
    asSuperuser(database.url, "select id, sealed from auth.signing_key order by id"),
    asSuperuser(database.url, "select selector, sealed from forwarder.signing_key order by selector"),
    asSuperuser(database.url, `${made.join(" union all ")} order by 1, 2`),
  ]);
}

/** The data as a release had them that kept nothing of the key. */
async function asBefore(): Promise<void> {
  for (const schema of schemas) {
    await asSuperuser(database.url, `drop table if exists ${schema}.known_key`);
    await asSuperuser(
      database.url,
      `delete from ${schema}.schema_migration where name = 'platform/0011_known_key.sql'`,
    );
  }
}

const signatures = async () =>
  (await asSuperuser<{ count: number }>(database.url, "select count(*)::int as count from auth.known_key"))[0]?.count;

test("another SECRET_KEY changes nothing: neither in one process, nor in a service of a fleet, nor by a command", async () => {
  const url = { DATABASE_URL: database.url };
  await startOnce({ ...url, SECRET_KEY: right });
  const before = await kept();
  const wrong = { ...url, SECRET_KEY: other };
  const brokers = { KAFKA_BROKERS: "127.0.0.1:1" };
  expect(run("main", [], wrong)).toMatchObject(refused);
  expect(run("main", ["--target=mailbox"], { ...wrong, ...brokers })).toMatchObject(refused);
  expect(run("admin", ["account", "list"], wrong)).toMatchObject(refused);
  const [{ name: role } = { name: "" }] = await asSuperuser<{ name: string }>(
    database.url,
    "select current_database() || '_auth' as name",
  );
  expect(await kept()).toEqual(before);

  // With a URL of its own, whose password does not follow from the key.
  const own = new URL(database.url);
  await asSuperuser(database.url, `alter role ${role} password 'its own'`);
  [own.username, own.password] = [role, "its own"];
  const changed = await kept();
  const fleet = { AUTH_DATABASE_URL: own.href, SECRET_KEY: other, ...brokers };
  expect(run("main", ["--target=auth"], fleet)).toMatchObject(refused);
  expect(await kept()).toEqual(changed);
}, 240_000);

test("data of an earlier release, which kept nothing of the key, go on with theirs and refuse another", async () => {
  await startOnce({ DATABASE_URL: database.url, SECRET_KEY: right });
  await asBefore();
  const before = await kept();
  expect(migrate({ SECRET_KEY: other })).toMatchObject(refused);
  const fleet = { DATABASE_URL: database.url, SECRET_KEY: other, KAFKA_BROKERS: "127.0.0.1:1" };
  expect(run("main", ["--target=webhook"], fleet)).toMatchObject(refused);
  expect(await kept()).toEqual(before);
  expect(migrate({ SECRET_KEY: right })).toMatchObject({ status: 0, stderr: "" });
  expect(await signatures()).toBe(1);
  expect(migrate({ SECRET_KEY: other })).toMatchObject(refused);
}, 240_000);

test("both keys are taken while one takes the place of the other, and then the new one alone", async () => {
  const good = { status: 0, stderr: "" };
  expect(migrate({ SECRET_KEY: right })).toMatchObject(good);
  expect(migrate({ SECRET_KEY: right, SECRET_KEY_PREVIOUS: other })).toMatchObject(good);
  expect(migrate({ SECRET_KEY: other, SECRET_KEY_PREVIOUS: right })).toMatchObject(good);
  // A process of the step before may start between those of the next.
  expect(migrate({ SECRET_KEY: right, SECRET_KEY_PREVIOUS: other })).toMatchObject(good);
  expect(await signatures()).toBe(2);
  expect(migrate({ SECRET_KEY: other })).toMatchObject(good);
  expect(await signatures()).toBe(1);
  expect(migrate({ SECRET_KEY: right })).toMatchObject(refused);
}, 240_000);

test("the embedded database refuses another key as well, and goes on with the right one", async () => {
  await startOnce({ SECRET_KEY: right });
  const { stdout, ...rest } = run("main", [], { SECRET_KEY: other });
  expect(rest).toMatchObject(refused);
  expect(stdout).not.toContain("signing key");
  expect(await startOnce({ SECRET_KEY: right })).not.toContain("rotated the bearer-token signing key");
}, 240_000);
