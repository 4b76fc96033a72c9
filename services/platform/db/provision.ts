import pg from "pg";
import { ConfigurationError, Outage } from "../errors.ts";
import type { Secrets } from "../security/secrets.ts";
import type { Logger } from "../telemetry/logger.ts";
import { closeClient, newClient } from "./connection.ts";
import { rowsOf } from "./driver-query.ts";
import { DatabaseError, translateError } from "./errors.ts";
import { lockNumber } from "./lock.ts";
import { scramVerifier } from "./scram.ts";
import { checkSecretKey, type StoredService, unknownKey } from "./secret-key-check.ts";

interface ProvisionSettings {
  /** Of a role that may create roles, and schemas in this database. */
  adminUrl: string;
  /** Each gets a schema of its name. */
  services: readonly StoredService[];
  /** The roles' passwords are derived from them. */
  secrets: Secrets;
  logger: Logger;
}

/**
 * Gives each service a schema, owned by a role that can touch no other: `<database>_<service>`, or the owner of the
 * schema where it exists. Any number of processes may do so at once. Resolves to each service's own URL.
 * @throws ConfigurationError if the administrator's role may not do what is needed, or a schema was made with another SECRET_KEY.
 */
export async function provision(settings: ProvisionSettings): Promise<Map<string, string>> {
  const { adminUrl, services, logger } = settings;
  const admin = newClient({ url: adminUrl, applicationName: "postern provision" });
  const lost = new Promise<never>((_, reject) => admin.on("error", reject));
  try {
    const urls = await Promise.race([lost, provisionAll(admin, settings)]);
    logger.debug({ services: services.map(({ name }) => name) }, "schemas and roles provisioned");
    return urls;
  } catch (error) {
    throw translateError(error);
  } finally {
    await closeClient(admin);
  }
}

async function provisionAll(
  admin: pg.Client,
  { adminUrl, services, secrets }: ProvisionSettings,
): Promise<Map<string, string>> {
  await admin.connect();
  // Held to the end of the session: what one process finds missing the next finds there.
  await admin.query("select pg_advisory_lock($1::bigint)", [lockNumber("postern: provision")]);
  // Of all, before anything is changed in one.
  for (const service of services) await requireRightKey(admin, service, { adminUrl, secrets });
  const urls = new Map<string, string>();
  for (const { name: service } of services) {
    const owner = await ownerOf(admin, service);
    const role = owner ? owner.name : await createSchema(admin, service, secrets);
    const [password] = secrets.rolePasswords(role);
    const url = withCredentials(adminUrl, role, password);
    if (!(await canLogIn(url))) await setPassword(admin, role, password);
    urls.set(service, url);
  }
  return urls;
}

/**
 * Where a schema does not tell by itself, the password of its role does: that follows from the key. Of a role that may not log in it is
 * set anew, which leaves an operator a way where the password was set by hand.
 * @throws ConfigurationError for a key that is not the one that a schema was made with
 */
async function requireRightKey(
  admin: pg.Client,
  service: StoredService,
  { adminUrl, secrets }: Pick<ProvisionSettings, "adminUrl" | "secrets">,
): Promise<void> {
  if ((await checkSecretKey(admin, service, secrets)) !== "undetermined") return;
  const owner = await ownerOf(admin, service.name);
  if (!owner?.canLogIn) return;
  for (const password of secrets.rolePasswords(owner.name))
    if (await canLogIn(withCredentials(adminUrl, owner.name, password))) return;
  throw unknownKey(service.name);
}

interface Owner {
  name: string;
  canLogIn: boolean;
}

/** The role that owns a schema, if the schema exists. */
async function ownerOf(admin: pg.Client, schema: string): Promise<Owner | undefined> {
  const rows = await rowsOf<Owner & { isPowerful: boolean }>(
    admin,
    `select rolname as name, rolcanlogin as can_log_in, rolsuper or rolcreaterole or rolname = current_user as is_powerful
     from pg_namespace join pg_roles on pg_roles.oid = nspowner where nspname = $1`,
    [schema],
  );
  const owner = rows[0];
  if (owner?.isPowerful) {
    throw new ConfigurationError([
      `DATABASE_URL: the schema ${schema} belongs to ${owner.name}, which can do more than a service may: give it to a role of its own (alter schema ${schema} owner to …)`,
    ]);
  }
  return owner;
}

async function createSchema(admin: pg.Client, schema: string, secrets: Secrets): Promise<string> {
  const rows = await rowsOf<{ database: string; role: string; isAllowed: boolean }>(
    admin,
    `select current_database() as database, current_user as role,
            (rolsuper or rolcreaterole) and has_database_privilege(current_database(), 'create') as is_allowed
     from pg_roles where rolname = current_user`,
  );
  const { database, role: adminRole, isAllowed } = rows[0] ?? { database: "", role: "", isAllowed: false };
  if (!isAllowed) {
    throw new ConfigurationError([
      `DATABASE_URL: ${adminRole} may not create roles and schemas in ${database}: expected a role with CREATEROLE and CREATE on the database, or a URL for each service (${schema.toUpperCase()}_DATABASE_URL)`,
    ]);
  }
  const role = `${database}_${schema}`;
  if (Buffer.byteLength(role) > 63) {
    throw new ConfigurationError([
      `DATABASE_URL: the role ${role} would be longer than PostgreSQL's 63 bytes: use a shorter database name`,
    ]);
  }
  await createRole(admin, role, secrets.rolePasswords(role)[0]);
  const [quotedRole, quotedSchema, quotedDatabase] = [role, schema, database].map(pg.escapeIdentifier);
  await admin.query(`create schema ${quotedSchema} authorization ${quotedRole}`);
  await admin.query(`alter role ${quotedRole} in database ${quotedDatabase} set search_path = ${quotedSchema}`);
  await revokeFromPublic(admin, database, role);
  return role;
}

/** Takes from PUBLIC what it has by default and no service needs: to make temporary tables, to use the schema public, to connect. */
async function revokeFromPublic(admin: pg.Client, database: string, role: string): Promise<void> {
  const rows = await rowsOf<{ ownsDatabase: boolean; ownsPublic: boolean }>(
    admin,
    `select pg_has_role(datdba, 'usage') as owns_database,
            exists (select from pg_namespace where nspname = 'public' and pg_has_role(nspowner, 'usage')) as owns_public
     from pg_database where datname = current_database()`,
  );
  // Where we may not change these, they stay as their owner has set them.
  if (rows[0]?.ownsDatabase) {
    await admin.query(`revoke all on database ${pg.escapeIdentifier(database)} from public`);
    await admin.query(`grant connect on database ${pg.escapeIdentifier(database)} to ${pg.escapeIdentifier(role)}`);
  }
  if (rows[0]?.ownsPublic) await admin.query("revoke all on schema public from public");
}

async function createRole(admin: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await admin.query("select from pg_roles where rolname = $1", [role]);
  if (rowCount) await setPassword(admin, role, password);
  else {
    const attributes = "login nosuperuser nocreatedb nocreaterole noreplication nobypassrls";
    const verifier = pg.escapeLiteral(scramVerifier(password));
    await admin.query(`create role ${pg.escapeIdentifier(role)} ${attributes} password ${verifier}`);
  }
  // A role that is no superuser has to be a member to make a schema for somebody else.
  await admin.query(`grant ${pg.escapeIdentifier(role)} to current_user`);
}

async function setPassword(admin: pg.Client, role: string, password: string): Promise<void> {
  await admin.query(
    `alter role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(scramVerifier(password))}`,
  );
}

/** False if the server refuses this role or password (SQLSTATE class 28). */
async function canLogIn(url: string): Promise<boolean> {
  const client = newClient({ url });
  client.on("error", () => closeClient(client));
  try {
    await client.connect();
    return true;
  } catch (error) {
    const outcome = translateError(error);
    if (outcome instanceof Outage && outcome.sqlState?.startsWith("28")) return false;
    if (outcome instanceof DatabaseError && outcome.sqlState === "42501") {
      throw new ConfigurationError([
        `DATABASE_URL: ${outcome.message}: grant the role of each service CONNECT on the database`,
      ]);
    }
    throw outcome;
  } finally {
    await closeClient(client);
  }
}

function withCredentials(url: string, role: string, password: string): string {
  const changed = new URL(url);
  if (changed.host === "") {
    // A socket: there is no authority to put them in.
    changed.searchParams.set("user", role);
    changed.searchParams.set("password", password);
  } else {
    changed.username = encodeURIComponent(role);
    changed.password = password;
  }
  return changed.href;
}
