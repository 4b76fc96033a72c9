// Runs the embedded PostgreSQL on a folder until told to stop; the parent may kill it any way it likes.
//   node embedded-owner.ts DATA_DIR    prints one line of JSON: the URL, or the error
import { once } from "node:events";
import { startEmbeddedPostgres } from "../../../services/platform/db/embedded.ts";
import { createLogger } from "../../../services/platform/telemetry/logger.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });

try {
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? "", logger });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  process.stdin.resume();
  await once(process.stdin, "end");
  await server.stop();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: `${error}` })}\n`);
}
