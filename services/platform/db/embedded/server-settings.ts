import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * What the embedded server runs with. Durability is never traded: fsync, synchronous_commit and full_page_writes stay on.
 * The figures are for two cores shared with this process.
 */
const serverSettings: Readonly<Record<string, string | number>> = {
  listen_addresses: "127.0.0.1",
  // The data directory, which is the server's working folder and which its user and ours alone may enter.
  unix_socket_directories: ".",
  cluster_name: "postern",
  // Every service of each process has a pool, which may be set larger, and one connection more listens and holds locks.
  max_connections: 200,
  // Queues fit; what does not is in the system's cache (bench/README.md, "The memory of one process under load").
  shared_buffers: "16MB",
  // One server, no replica and no archive: no log is written for them.
  wal_level: "minimal",
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  // What is read is small and mostly in memory: no processes that read for others.
  io_method: "sync",
  // Fewer checkpoints: fewer whole pages in the log.
  max_wal_size: "2GB",
  min_wal_size: "256MB",
  checkpoint_timeout: "15min",
  wal_buffers: "4MB",
  // Short statements: compiling them or spreading them over processes costs more than it gives.
  jit: "off",
  max_parallel_workers_per_gather: 0,
  random_page_cost: 1.1,
  // Queues are emptied as fast as they are filled: their dead rows must go soon.
  autovacuum_naptime: "15s",
  autovacuum_vacuum_cost_delay: 0,
  // Statistics of a quarter of the rows that are sampled by default: a worker took 35 to 60 MiB to make them, and takes 6 to 22.
  autovacuum_max_workers: 1,
  default_statistics_target: 25,
  // No contents in the log: what statements say and the values that they fail on stay out of it.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  logging_collector: "off",
};

const settingsFile = "postern.conf";

/** Has a new cluster read our settings: after its own, and before what an operator sets by `alter system`. */
export function includeSettings(dataFolder: string): Promise<void> {
  return appendFile(join(dataFolder, "postgresql.conf"), `include '${settingsFile}'\n`);
}

/** Written at each start, so that a later release's settings take hold. */
export function writeSettings(dataFolder: string): Promise<void> {
  const lines = Object.entries(serverSettings).map(([name, value]) => `${name} = '${value}'\n`);
  return writeFile(join(dataFolder, settingsFile), lines.join(""), { mode: 0o644 });
}
