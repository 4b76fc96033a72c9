import { beforeAll, test } from "@jest/globals";
import { loadConfig } from "../../../services/platform/config.ts";
import { eventsConfig } from "../../../services/platform/events/config.ts";
import { KafkaClient } from "../../../services/platform/events/kafka/client.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createLogger } from "../../../services/platform/telemetry/logger.ts";
import { ownTopics, testKafka } from "../../support/peers/kafka.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });

let brokers: string;
beforeAll(async () => {
  brokers = await testKafka();
}, peerInstallLimitMs);

const event = (key: string) => ({
  id: newId(),
  topic: "account.opened",
  key,
  payload: Buffer.from("text"),
  headers: {},
  occurredAt: new Date(),
});

const keys = Array.from({ length: 50 }, (_, index) => `${index}`);

// A broker says of most topics with more than a few partitions at first that it does not lead them.
test("the first events of a topic that was just made are sent: that is no outage", async () => {
  for (let count = 0; count < 10; count += 1) {
    const client = new KafkaClient(
      loadConfig(eventsConfig, { ...ownTopics(brokers), KAFKA_PARTITIONS: "24" }),
      "test",
      logger,
    );
    const producer = await client.producer();
    await producer.send(keys.map(event));
    await producer.close();
  }
}, 120_000);
