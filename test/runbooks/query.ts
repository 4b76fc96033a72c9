import { Client } from "pg";
import type { Exercised } from "./exercise.ts";

/** Runs statements as a superuser of the fleet's PostgreSQL. @returns how many rows they were about */
export async function query({ installation }: Exercised, sql: string): Promise<number> {
  const client = new Client({ connectionString: await installation.databaseUrl() });
  await client.connect();
  try {
    return (await client.query(sql)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
