// Runs one PostgreSQL for all workers of a jest run; see run-server.ts.
import { openDatabase } from "../../../services/platform/db/database.ts";
import { startEmbeddedPostgres } from "../../../services/platform/db/embedded.ts";
import { createLogger } from "../../../services/platform/telemetry/logger.ts";
import { keep } from "../run/run-server.ts";

const logger = createLogger({ LOG_LEVEL: "warn", LOG_FORMAT: "text" });

await keep(async (folder) => {
  const first = await startEmbeddedPostgres({ dataDir: folder, logger });
  const admin = openDatabase({ url: first.url, schema: "public", logger });
  // What is in it is worth nothing once the run is over.
  await admin.query("alter system set fsync = off");
  await admin.query("alter system set max_wal_size = '128MB'");
  await admin.query("alter system set min_wal_size = '64MB'");
  // Several installations use it at a time. Read at its start alone.
  await admin.query("alter system set max_connections = 500");
  await admin.close();
  await first.stop();
  const server = await startEmbeddedPostgres({ dataDir: folder, logger });
  return { address: server.url, stop: () => server.stop() };
});
