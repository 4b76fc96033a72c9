import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { ConfigurationError } from "../../errors.ts";
import { closeClient, newClient } from "../connection.ts";
import { lockNumber } from "../lock.ts";
import { type Cluster, clusterDatabase, serverUrl } from "./cluster.ts";

/** Held by the process that runs an embedded server: two cannot run on one DATA_DIR. */
const ownershipLock = lockNumber("postern: owner of the embedded server");

/** A server notices only when it next runs that a killed owner's connection is closed, and holds the lock until then. */
const killedOwnerGraceMs = 2_000;

/**
 * Locks a server for as long as the connection lives. Undefined if the server does not answer now.
 * @throws ConfigurationError if another process holds it.
 */
export async function lockOrRefuse(cluster: Cluster, port: number): Promise<pg.Client | undefined> {
  await nameDatabase(cluster, port).catch(() => undefined);
  for (const until = performance.now() + killedOwnerGraceMs; ; await delay(50)) {
    const outcome = await tryLock(serverUrl(cluster, port)).catch(() => undefined);
    if (!outcome || outcome.isOurs) return outcome?.client;
    if (performance.now() < until) continue;
    throw new ConfigurationError([
      `DATA_DIR: ${outcome.holder} is running on ${cluster.folder}; stop it first, or choose another folder`,
    ]);
  }
}

/** A new cluster's database "postgres" becomes ours: a copy of it would take as long as the rest of the start. */
async function nameDatabase(cluster: Cluster, port: number): Promise<void> {
  const client = newClient({ url: serverUrl(cluster, port, "template1") });
  client.on("error", () => closeClient(client));
  try {
    await client.connect();
    const { rowCount } = await client.query("select from pg_database where datname = $1", [clusterDatabase]);
    if (rowCount) return;
    await client.query(`alter database postgres rename to ${clusterDatabase}`);
    await client.query("revoke all on database template1 from public");
  } finally {
    await closeClient(client);
  }
}

async function tryLock(url: string): Promise<{ isOurs: true; client: pg.Client } | { isOurs: false; holder: string }> {
  const client = newClient({ url, applicationName: `process ${process.pid}` });
  // An error on the connection also fails its queries, or ends it.
  client.on("error", () => closeClient(client));
  try {
    await client.connect();
    const { rows } = await client.query("select pg_try_advisory_lock($1::bigint) as held", [ownershipLock]);
    if (rows[0].held) return { isOurs: true, client };
    const holders = await client.query(
      `select application_name from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = $1::bigint`,
      [ownershipLock],
    );
    await closeClient(client);
    return { isOurs: false, holder: holders.rows[0]?.application_name ?? "another process" };
  } catch (error) {
    await closeClient(client);
    throw error;
  }
}

/** The lock of an embedded database, taken again when the server has ended its session, as it does when one of its own processes crashes. */
export class Ownership {
  readonly #url: string;
  #client: pg.Client;
  #isReleased = false;

  constructor(cluster: Cluster, port: number, client: pg.Client) {
    this.#url = serverUrl(cluster, port);
    this.#client = client;
    client.once("end", () => this.#renew());
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await closeClient(this.#client);
  }

  async #renew(): Promise<void> {
    for (; !this.#isReleased; await delay(200)) {
      const outcome = await tryLock(this.#url).catch(() => undefined);
      if (!outcome?.isOurs) continue;
      this.#client = outcome.client;
      this.#client.once("end", () => this.#renew());
      return this.#isReleased ? closeClient(this.#client) : undefined;
    }
  }
}
