import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { testMode } from "../../support/installation/installation.ts";
import type { DnsServer } from "../../support/peers/dns-server.ts";
import { Answers, answeringEnvironment } from "../answer-load.ts";
import { type FaultFixture, inFlightLimit, startFaultFixture } from "../fault-fixture.ts";

let dns: DnsServer;
let fixture: FaultFixture;

beforeAll(async () => {
  const answering = await answeringEnvironment();
  dns = answering.dns;
  fixture = await startFaultFixture(answering.environment);
});
afterAll(async () => {
  await fixture?.dispose();
  await dns?.stop();
});

/** 20 for a release; fewer each time. */
const kills = Number(process.env["ANSWER_KILLS"] ?? (testMode === "single" ? 2 : 4));

test("killed while answers pour in, each is sent once, or held and its author is told", async () => {
  const { installation } = fixture;
  const answers = await Answers.sendUntilStopped(fixture);
  const services = ["forwarder", "ingress", "bindings", "mailbox"] as const;
  for (let kill = 0; kill < kills; kill++) {
    await answers.acceptedMore(20);
    await installation.process(services[kill % services.length] ?? "forwarder").kill();
    await installation.revive();
  }
  await answers.acceptedMore(10);
  await answers.stop();
  expect(kills).toBeGreaterThan(0);
  await answers.expectSettled(kills * inFlightLimit);
}, 900_000);
