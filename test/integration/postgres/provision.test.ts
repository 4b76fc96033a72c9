import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openDatabase } from "../../../services/platform/db/database.ts";
import { migrate } from "../../../services/platform/db/migrate.ts";
import { provision } from "../../../services/platform/db/provision.ts";
import type { Database } from "../../../services/platform/db/types.ts";
import { ConfigurationError } from "../../../services/platform/errors.ts";
import { Secrets } from "../../../services/platform/security/secrets.ts";
import { asSuperuser, emptyDatabase, silentLogger } from "../../support/peers/database.ts";

type Empty = Awaited<ReturnType<typeof emptyDatabase>>;

const services = ["auth", "bindings", "ingress", "mailbox", "forwarder", "webhook"];

function provisioned(adminUrl: string, names = services, secretKey = "first"): Promise<Map<string, string>> {
  const stored = names.map((name) => ({ name }));
  return provision({ adminUrl, services: stored, secrets: new Secrets(secretKey), logger: silentLogger });
}

function opened(url: string | undefined, schema: string): Database {
  return openDatabase({ url: url ?? "", schema, logger: silentLogger, poolSize: 1 });
}

describe("each service's role", () => {
  let empty: Empty;
  const databases = new Map<string, Database>();
  beforeAll(async () => {
    empty = await emptyDatabase();
    const urls = await provisioned(empty.url);
    for (const [schema, url] of urls) {
      await migrate({ url, schema, logger: silentLogger });
      databases.set(schema, opened(url, schema));
    }
    await asSuperuser(empty.url, "create table public.everybodys (id integer)");
  });
  afterAll(async () => {
    for (const database of databases.values()) await database.close();
    await empty.dispose();
  });

  test.each(services)("%s is named after the database, can log in and do nothing more", async (schema) => {
    const { rows } = (await databases.get(schema)?.query(
      `select rolname as name, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as is_powerful
       from pg_roles where rolname = current_user`,
    )) ?? { rows: [] };
    const database = new URL(empty.url).pathname.slice(1);
    expect(rows).toEqual([{ name: `${database}_${schema}`, isPowerful: false }]);
  });

  test.each(services)("%s does as it likes in its own schema", async (schema) => {
    const database = databases.get(schema);
    await database?.query("create table own (id integer)");
    await database?.query("insert into own values (1)");
    expect((await database?.query(`select count(*) as count from ${schema}.own`))?.rows).toEqual([{ count: 1 }]);
  });

  const others = services.flatMap((schema) =>
    services.filter((other) => other !== schema).map((other) => [schema, other]),
  );
  test.each(others)("%s can neither read, write nor make anything in %s", async (schema = "", other = "") => {
    const database = databases.get(schema);
    for (const sql of [
      `select * from ${other}.outbox`,
      `insert into ${other}.inbox (consumer_group, event_id) values ('x', gen_random_uuid())`,
      `delete from ${other}.blob`,
      `create table ${other}.mine (id integer)`,
      `drop schema ${other} cascade`,
      `set role "${new URL(empty.url).pathname.slice(1)}_${other}"`,
    ]) {
      await expect(database?.query(sql)).rejects.toMatchObject({ sqlState: "42501" });
    }
  });

  test("nor in public, nor a schema of its own, nor anything temporary", async () => {
    for (const sql of [
      "create table public.mine (id integer)",
      "select * from public.everybodys",
      "create schema mine",
      "create temporary table mine (id integer)",
    ]) {
      await expect(databases.get("mailbox")?.query(sql)).rejects.toMatchObject({ sqlState: "42501" });
    }
  });
});

describe("provisioning", () => {
  let empty: Empty;
  beforeAll(async () => {
    empty = await emptyDatabase();
  });
  afterAll(() => empty.dispose());

  test("by several processes at once gives each the same", async () => {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => provisioned(empty.url)));
    for (const other of others) expect(other).toEqual(first);
  });

  test("with another secret key gives other passwords, and takes the former back", async () => {
    const [before, after] = [await provisioned(empty.url), await provisioned(empty.url, services, "second")];
    expect(after.get("auth")).not.toBe(before.get("auth"));
    const former = opened(before.get("auth"), "auth");
    await expect(former.ping()).rejects.toMatchObject({ what: "database", sqlState: "28P01" });
    await former.close();
    const current = opened(after.get("auth"), "auth");
    await current.ping();
    await current.close();
  });

  test("takes a schema that exists with its owner", async () => {
    const role = `owner_${new URL(empty.url).pathname.slice(6)}`;
    await asSuperuser(empty.url, `create role ${role}`);
    await asSuperuser(empty.url, `grant connect on database ${new URL(empty.url).pathname.slice(1)} to ${role}`);
    await asSuperuser(empty.url, `create schema restored authorization ${role}`);
    const urls = await provisioned(empty.url, ["restored"]);
    expect(new URL(urls.get("restored") ?? "").username).toBe(role);
    await migrate({ url: urls.get("restored") ?? "", schema: "restored", logger: silentLogger });
  });

  test("refuses a schema that belongs to the administrator", async () => {
    await asSuperuser(empty.url, "create schema careless");
    const attempt = provisioned(empty.url, ["careless"]);
    await expect(attempt).rejects.toBeInstanceOf(ConfigurationError);
    await expect(attempt).rejects.toThrow("alter schema careless owner to");
  });

  test("works for an administrator that is no superuser, and says what is missing for one that may not", async () => {
    const name = new URL(empty.url).pathname.slice(1);
    const adminUrl = (role: string) => {
      const url = new URL(empty.url);
      [url.username, url.password] = [role, "pw"];
      return url.href;
    };
    await asSuperuser(empty.url, `create role ${name}_may login createrole password 'pw'`);
    await asSuperuser(empty.url, `grant create, connect on database ${name} to ${name}_may`);
    // It does not own the database, so it cannot let the roles that it makes in where the owner has closed it.
    const closed = provisioned(adminUrl(`${name}_may`), ["closed"]);
    await expect(closed).rejects.toBeInstanceOf(ConfigurationError);
    await expect(closed).rejects.toThrow("CONNECT");
    await asSuperuser(empty.url, `grant connect on database ${name} to public`);
    const urls = await provisioned(adminUrl(`${name}_may`), ["other"]);
    const other = opened(urls.get("other"), "other");
    await other.query("create table own (id integer)");
    await other.close();

    await asSuperuser(empty.url, `create role ${name}_may_not login password 'pw'`);
    await asSuperuser(empty.url, `grant connect on database ${name} to ${name}_may_not`);
    const attempt = provisioned(adminUrl(`${name}_may_not`), ["another"]);
    await expect(attempt).rejects.toBeInstanceOf(ConfigurationError);
    await expect(attempt).rejects.toThrow("ANOTHER_DATABASE_URL");
    // Where everything is there already, it need not be allowed anything.
    expect(await provisioned(adminUrl(`${name}_may_not`), ["other"])).toEqual(
      new Map([["other", expect.stringContaining(`${name}_other`)]]),
    );
  });

  test("with no server is an outage", async () => {
    await expect(provisioned("postgres://a:b@127.0.0.1:1/x")).rejects.toMatchObject({ what: "database" });
  });
});
