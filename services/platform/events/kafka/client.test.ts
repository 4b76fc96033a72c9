import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "@jest/globals";
import { loadConfig } from "../../config.ts";
import { createLogger } from "../../telemetry/logger.ts";
import { eventsConfig } from "../config.ts";
import { KafkaClient } from "./client.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });

test("whoever takes connections and does not speak Kafka is no broker", async () => {
  const sockets: Socket[] = [];
  const peer = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  await once(peer, "listening");
  const brokers = `127.0.0.1:${(peer.address() as AddressInfo).port}`;
  const client = new KafkaClient(loadConfig(eventsConfig, { KAFKA_BROKERS: brokers }), "test", logger);
  try {
    await expect(client.producer()).rejects.toMatchObject({
      what: "broker",
      operatorMessage: `KAFKA_BROKERS: ${brokers}`,
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    peer.close();
  }
}, 60_000);
