// Runs one Kafka for all workers of a jest run; see run-server.ts.
import { join } from "node:path";
import { startKafka } from "../../../scripts/peers/kafka.ts";
import { keep } from "../run/run-server.ts";

await keep(async (folder) => {
  const broker = await startKafka({ dataDir: join(folder, "data") });
  return { address: broker.brokers, stop: () => broker.stop() };
});
