import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { FleetService } from "../../../scripts/fleet/fleet.ts";
import { ApiLoad, type ApiOutcome, askOnce } from "../../support/api-load.ts";
import { eventually } from "../../support/eventually.ts";
import { ownKafka } from "../../support/kafka.ts";
import { keyCount, ownRedis } from "../../support/redis.ts";
import { restClient } from "../../support/rest-client.ts";
import { SmtpClient } from "../../support/smtp.ts";
import { apiRequests, notReady } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type Scene, setScene } from "../fault-installation.ts";

let kafka: Awaited<ReturnType<typeof ownKafka>>;
let redis: Awaited<ReturnType<typeof ownRedis>>;
let scene: Scene;

beforeAll(async () => {
  [kafka, redis] = await Promise.all([ownKafka(), ownRedis()]);
  scene = await setScene({ KAFKA_BROKERS: kafka.brokers, REDIS_URL: redis.url });
});
afterEach(() => scene.calm());
afterAll(async () => {
  await scene?.dispose();
  await Promise.all([kafka?.dispose(), redis?.stop()]);
});

test("Kafka stopped for 30 s under load: mail is taken all the same, and flows once it is back", async () => {
  const { installation } = scene;
  const load = scene.pour("without-kafka");
  await load.acceptedMore(50);
  await kafka.stop();
  const stoppedAtMs = Date.now();
  await load.acceptedMore(200);
  await load.stop();
  const unready = await eventually(async () => {
    const waiting = await notReady(installation.process("forwarder").options.healthUrl);
    expect(waiting).toContainEqual({ module: "forwarder events", reason: "broker is out of reach" });
    return waiting;
  });
  await delay(stoppedAtMs + 30_000 - Date.now());
  await kafka.start();
  expect(unready).toHaveLength(1);
  expect(load.refused).toEqual([]);
  await expectNothingLost(scene);
}, 300_000);

test("Redis gone: mail and sign-in go on, and once it is back it is used again", async () => {
  const { installation } = scene;
  const load = scene.pour("without-redis");
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
  await expectNothingLost(scene);
}, 300_000);

const inTurn: readonly FleetService[] = ["auth", "bindings", "mailbox", "forwarder", "webhook", "ingress", "rest"];

test("one service down at a time: 503 for what needs it, and the rest goes on", async () => {
  const { installation } = scene;
  const requests = await apiRequests(scene);
  for (const service of inTurn) {
    await installation.process(service).kill();
    for (const request of requests) {
      const { status, retryAfterS, text } = await askOnce(installation.url, request);
      const isDown = service === "rest" || request.needs.includes(service);
      const expected = isDown ? { status: 503, retryAfterS: 5 } : { status: 200 };
      const asked = { service, request: request.path };
      expect({ ...asked, status, retryAfterS, text }).toMatchObject({ ...asked, ...expected });
    }
    await installation.revive();
  }
}, 300_000);

test("bindings down: mail is deferred with 451, and taken when it is back", async () => {
  const { installation, browsed } = scene;
  const client = await SmtpClient.open(installation.smtpPort);
  await installation.process("bindings").kill();
  await client.command("MAIL FROM:<ann@example.com>");
  expect(await client.command(`RCPT TO:<${browsed.proxyAddress}>`)).toMatch(/^451 4\.3\.0 /);
  expect(await client.command("RCPT TO:<nobody@postern.localhost>")).toMatch(/^451 4\.3\.0 /);
  await installation.revive();
  expect(await client.command(`RCPT TO:<${browsed.proxyAddress}>`)).toMatch(/^250 /);
  expect(await client.command("RCPT TO:<nobody@postern.localhost>")).toMatch(/^550 5\.1\.1 /);
  client.destroy();
});

test("each service stopped by SIGTERM and started again under load: nothing lost or doubled, nor refused after its Retry-After", async () => {
  const { installation } = scene;
  // Every fourth callback fails, so that attempts are due again while processes come and go.
  const calls = scene.target.received.length;
  scene.target.answerWith(...Array.from({ length: 2_000 }, (_, index) => (index % 4 === 0 ? 503 : 200)));
  const load = scene.pour("rolling", { restMs: 500 });
  await load.acceptedMore(50);
  const requests = await apiRequests(scene);
  let isBack = Promise.resolve();
  const api = new ApiLoad({ url: installation.url, requests, untilAgain: () => isBack });
  const codes: (number | null)[] = [];
  for (const process of installation.processes()) {
    const back = Promise.withResolvers<void>();
    isBack = back.promise;
    codes.push(await process.stop());
    process.start();
    await process.ready();
    back.resolve();
    await load.acceptedMore(30);
  }
  const outcomes = await api.stop();
  await load.stop();
  for (const each of api.refusedTwice) process.stdout.write(`refused twice: ${JSON.stringify(explained(each))}\n`);
  expect(codes).toEqual(codes.map(() => 0));
  expect(outcomes.filter(({ status }) => status !== 200).map(explained)).toEqual([]);
  expect(load.unanswered).toEqual([]);
  await expectNothingLost(scene);
  expect(scene.target.received.slice(calls).filter(({ status }) => status === 503).length).toBeGreaterThan(50);
}, 300_000);

/** With what the processes logged under the id of its answer. */
function explained(outcome: ApiOutcome) {
  const id = /"id":"([^"]+)"/.exec(outcome.text)?.[1];
  const logged = scene.installation.output().split("\n");
  return { ...outcome, logged: id === undefined ? [] : logged.filter((line) => line.includes(id)) };
}
