import { join } from "node:path";
import { runServer } from "../run/run-server.ts";

const startLimitMs = 120_000;

let server: Promise<string> | undefined;

/** The superuser's URL of the one PostgreSQL of this jest run, started by whoever asks first. */
export function testPostgres(): Promise<string> {
  server ??= runServer("postgres", join(import.meta.dirname, "postgres-process.ts"), startLimitMs);
  return server;
}
