import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { errorCode, messageOf } from "../errors.ts";
import { resultTypes } from "./value-types.ts";

export interface ConnectionSettings {
  /** postgres://role:password@host:port/database; ?host=/folder for a socket. It must not carry `options`. */
  url: string;
  /** What unqualified names mean; the role's own search_path when absent. */
  schema?: string;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** How long one statement may run on the server. Default 30,000; 0 is for ever. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection, new or free. Default 5,000. */
  connectTimeoutMs?: number;
}

const defaultStatementTimeoutMs = 30_000;
/** How much longer than the server's own limit we wait, before a connection counts as lost. */
const answerGraceMs = 5_000;

/** How long an answer is waited for, since the server may disappear without closing the connection; undefined is for ever. */
export function answerLimitMs({
  statementTimeoutMs = defaultStatementTimeoutMs,
}: ConnectionSettings): number | undefined {
  return statementTimeoutMs === 0 ? undefined : statementTimeoutMs + answerGraceMs;
}

/** The driver's configuration for a connection of ours, pooled or alone. Who makes the connection bounds how long it waits for answers. */
export function connectionConfig(settings: ConnectionSettings): pg.ClientConfig {
  const { url, schema, applicationName = "postern", connectTimeoutMs = 5_000 } = settings;
  const { statementTimeoutMs = defaultStatementTimeoutMs } = settings;
  return {
    connectionString: withPlainMode(url),
    application_name: applicationName,
    types: resultTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // A transaction whose owner hangs must not hold its locks for ever.
    idle_in_transaction_session_timeout: 60_000,
    options:
      schema === undefined ? undefined : `-c search_path=${pg.escapeIdentifier(schema).replaceAll(/[\\ ]/g, "\\$&")}`,
  };
}

/**
 * The driver takes prefer, require and verify-ca for verify-full, and says so in lines that are none of the log's. With uselibpqcompat they
 * mean what they mean to libpq.
 */
function withPlainMode(url: string): string {
  if (/[?&]uselibpqcompat=true/.test(url)) return url;
  return url.replaceAll(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g, "$1verify-full");
}

/**
 * A single connection outside any pool. The caller listens to "error", and ends it by closeClient.
 * @param isPipelined whether statements go out before the former one is answered; streams of COPY cannot share a connection so
 */
export function newClient(settings: ConnectionSettings, { isPipelined = true } = {}): pg.Client {
  return new pg.Client({
    ...connectionConfig(settings),
    query_timeout: answerLimitMs(settings),
    pipeline: isPipelined,
  });
}

/** Nobody is there. Where a name is not resolved, or a connection cannot be made here, nothing is known of the server. */
const absenceCodes = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"];

/** Whether a server takes no connection, and does not say why, in the time that is waited for one. @throws what a URL names and cannot be read */
export async function isAbsent(settings: ConnectionSettings): Promise<boolean> {
  const client = newClient(settings);
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    client.connection.stream.destroy();
    return absenceCodes.includes(errorCode(error)) || isTimeout(error);
  }
  await closeClient(client);
  return false;
}

/** Whether a connection was not there in the time that is waited for one. The driver's own error, which has no code. */
export function isTimeout(error: unknown): boolean {
  return messageOf(error) === "timeout expired";
}

/** Says goodbye; a server that does not answer within 2 s is left without. */
export async function closeClient(client: pg.Client): Promise<void> {
  const given = new AbortController();
  const goodbye = client.end().finally(() => given.abort());
  await Promise.race([goodbye, delay(2_000, undefined, { signal: given.signal }).catch(() => undefined)]);
  client.connection.stream.destroy();
}

/**
 * Asks every so often whether a connection still lives, since a broken network says nothing by itself;
 * closes it if no answer comes within the statement timeout. Gives the function that ends this.
 */
export function keepAlive(client: pg.Client, everyMs: number): () => void {
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    await client.query("select 1").catch(() => closeClient(client));
    isAsking = false;
  }, everyMs);
  return () => clearInterval(timer);
}
