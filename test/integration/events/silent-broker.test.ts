import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { ownKafka, ownTopics } from "../../support/peers/kafka.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

let kafka: Awaited<ReturnType<typeof ownKafka>>;
let dataDir: string;
let postern: ServiceProcess;
beforeAll(async () => {
  kafka = await ownKafka();
}, peerInstallLimitMs);
afterAll(() => kafka?.dispose());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postern-silent-broker-"));
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  const ports = { HTTP_PORT: `${httpPort}`, SMTP_PORT: `${smtpPort}` };
  // Beyond it and ten seconds more a process ends as it is, with 1.
  const environment = { PATH: process.env["PATH"], DATA_DIR: dataDir, STOP_TIMEOUT_S: "5", ...ports };
  postern = new ServiceProcess({
    target: "all",
    environment: { ...environment, ...ownTopics(kafka.brokers) },
    healthUrl: `http://127.0.0.1:${httpPort}`,
    onLine: () => undefined,
  });
  postern.start();
  await postern.ready();
}, 120_000);
afterEach(async () => {
  await postern.kill();
  await rm(dataDir, { recursive: true, force: true });
});

test("a process comes to a good end though the broker says nothing", async () => {
  const resume = kafka.hang();
  try {
    expect(await postern.stop()).toBe(0);
  } finally {
    resume();
  }
}, 120_000);
