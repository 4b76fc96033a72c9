import type { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { nodeProcesses, residentMemory } from "../../support/installation/resident-memory.ts";
import { asSuperuser } from "../../support/peers/database.ts";

/** What may not be exceeded, however long it runs. */
export interface Bounds {
  memoryMib: number;
  workMib: number;
  kibPerEmail: number;
}

interface Sizes {
  databaseBytes: number;
  /** Of tables whose rows are work on its way. */
  workBytes: number;
  largest: string;
}

const bytesPerMebibyte = 1024 * 1024;
const workTables = ["outbox", "parse_job", "delivery", "callback"];

/** Resident memory of each process, by its service. */
export async function memoryMib(started: readonly ServiceProcess[]): Promise<Map<string, number>> {
  const found = [...(await nodeProcesses(started))];
  const sizes = found.map(async ([pid, target]): Promise<[string, number]> => {
    const { nowBytes } = await residentMemory(pid);
    return [target, Math.round(nowBytes / bytesPerMebibyte)];
  });
  return new Map(await Promise.all(sizes));
}

/** With indexes and what is stored out of line. */
export async function tableSizes(databaseUrl: string): Promise<Sizes> {
  const [total] = await asSuperuser<{ databaseBytes: string; workBytes: string; largest: string }>(
    databaseUrl,
    `with sized as (
       select schemaname || '.' || relname as name, relname, pg_total_relation_size(relid) as bytes from pg_stat_user_tables)
     select pg_database_size(current_database())::text as database_bytes,
            coalesce(sum(bytes) filter (where relname = any ($1)), 0)::text as work_bytes,
            (select string_agg(name || ' ' || pg_size_pretty(bytes), ', ')
               from (select * from sized order by bytes desc limit 8) as largest) as largest
       from sized`,
    [workTables],
  );
  return {
    databaseBytes: Number(total?.databaseBytes),
    workBytes: Number(total?.workBytes),
    largest: total?.largest ?? "",
  };
}

/** What is above its bound, in words. */
export function exceeded(bounds: Bounds, memory: ReadonlyMap<string, number>, sizes: Sizes, kibPerEmail: number) {
  const workMib = sizes.workBytes / bytesPerMebibyte;
  return [
    ...[...memory].filter(([, mib]) => mib > bounds.memoryMib).map(([service, mib]) => `${service} holds ${mib} MiB`),
    ...(workMib > bounds.workMib ? [`tables of work on its way hold ${workMib.toFixed(0)} MiB`] : []),
    ...(kibPerEmail > bounds.kibPerEmail ? [`an email takes ${kibPerEmail.toFixed(0)} KiB of databases`] : []),
  ];
}
