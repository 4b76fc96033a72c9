import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { call, restClient } from "../../support/http/rest-client.ts";
import { ownKafkaCluster } from "../../support/peers/kafka.ts";
import { keyCount, ownRedis } from "../../support/peers/redis.ts";
import { notReady } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";

let kafka: Awaited<ReturnType<typeof ownKafkaCluster>>;
let redis: Awaited<ReturnType<typeof ownRedis>>;
let fixture: FaultFixture;

beforeAll(async () => {
  [kafka, redis] = await Promise.all([ownKafkaCluster(), ownRedis()]);
  fixture = await startFaultFixture({
    KAFKA_BROKERS: kafka.brokers.map(({ brokers }) => brokers).join(","),
    KAFKA_REPLICATION: "3",
    KAFKA_MIN_INSYNC_REPLICAS: "2",
    REDIS_URL: redis.url,
  });
});
afterEach(() => fixture.stopLoads());
afterAll(async () => {
  await fixture?.dispose();
  await Promise.all([kafka?.dispose(), redis?.stop()]);
});

test("Kafka loses one broker of three, and all goes on; two, and then all: mail is taken, and flows once they are back", async () => {
  const { installation, sink } = fixture;
  const [first, ...others] = kafka.brokers;
  const load = fixture.sendUntilStopped("without-kafka");
  await load.acceptedMore(50);
  await first?.kill();
  await load.acceptedMore(100);
  const left = sink.messages.length;
  await eventually(() => expect(sink.messages.length).toBeGreaterThan(left + 100));
  for (const broker of others) {
    await broker.kill();
    await load.acceptedMore(100);
  }
  await load.stop();
  const unready = await eventually(async () => {
    const waiting = await notReady(installation.process("forwarder").options.healthUrl);
    expect(waiting).toContainEqual({ module: "forwarder events", reason: "broker is out of reach" });
    return waiting;
  });
  // Mail and calls are led to all of them all the same: the chart's probe asks for this.
  const serving = installation.processes().map(({ options }) => call(`${options.healthUrl}/servingz`, "GET"));
  expect((await Promise.all(serving)).map(({ status }) => status)).toEqual(installation.processes().map(() => 200));
  await Promise.all(kafka.brokers.map((broker) => broker.start()));
  expect(unready).toHaveLength(1);
  expect(load.refused).toEqual([]);
  await expectNothingLost(fixture);
}, 300_000);

test("Redis gone: mail and sign-in go on, and once it is back it is used again", async () => {
  const { installation } = fixture;
  const load = fixture.sendUntilStopped("without-redis");
  await load.acceptedMore(50);
  await redis.stop();
  await load.acceptedMore(50);
  await expect(restClient(installation.url, installation.account)).resolves.toBeDefined();
  await redis.start();
  const wrong = { ...installation.account, password: "wrong" };
  await eventually(async () => {
    await expect(restClient(installation.url, wrong)).rejects.toThrow(/401|429/);
    expect(await keyCount(redis.url)).toBeGreaterThan(0);
  });
  await load.stop();
  expect(load.refused).toEqual([]);
  await expectNothingLost(fixture);
}, 300_000);
