import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { FleetService } from "../../../scripts/fleet/fleet.ts";
import { ServiceProcess } from "../../../scripts/fleet/service-process.ts";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { ApiLoad } from "../../support/api-load.ts";
import { restClient } from "../../support/rest-client.ts";
import { ServiceAddress } from "../../support/service-address.ts";
import { apiRequests } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { longLeases, type Scene, setScene } from "../fault-installation.ts";

const services: readonly FleetService[] = [
  "auth",
  "bindings",
  "mailbox",
  "forwarder",
  "webhook",
  "ingress",
  "rest",
  "gateway",
];

const addresses = new Map<string, ServiceAddress>();
const successors: ServiceProcess[] = [];
let scene: Scene;

async function open(name: string, port: number): Promise<ServiceAddress> {
  const address = await ServiceAddress.open(port);
  addresses.set(name, address);
  return address;
}

beforeAll(async () => {
  scene = await setScene(longLeases, async (service, port) => `http://127.0.0.1:${(await open(service, port)).port}`);
});
afterAll(async () => {
  await scene?.calm();
  await Promise.all(successors.map((process) => process.stop()));
  await scene?.dispose();
  await Promise.all([...addresses.values()].map((address) => address.close()));
});

/** The next release's pod: ready beside the one that runs, then connections come to it alone. */
async function surge(service: FleetService): Promise<void> {
  const { options } = scene.installation.process(service);
  const [internal = 0, http = 0, smtp = 0] = await freePorts(3);
  const ports = { INTERNAL_PORT: String(internal), HTTP_PORT: String(http), SMTP_PORT: String(smtp) };
  const environment = { ...options.environment, ...ports };
  const next = new ServiceProcess({ ...options, environment, healthUrl: `http://127.0.0.1:${internal}` });
  successors.push(next);
  next.start();
  await next.ready();
  addresses.get(service)?.leadTo(internal);
  if (service === "gateway") addresses.get("http")?.leadTo(http);
  if (service === "ingress") addresses.get("smtp")?.leadTo(smtp);
}

test("each service replaced as a rollout does it, under load: nothing lost, doubled, deferred, or refused to who asks twice", async () => {
  const { installation, target } = scene;
  const door = await open("http", Number(new URL(installation.url).port));
  const mailDoor = await open("smtp", installation.smtpPort);
  const url = `http://127.0.0.1:${door.port}`;
  // Every fourth callback fails, so that attempts are due again while processes come and go.
  target.answerWith(...Array.from({ length: 4_000 }, (_, index) => (index % 4 === 0 ? 503 : 200)));
  const load = scene.pour("rolled", { port: mailDoor.port, restMs: 500 });
  await load.acceptedMore(50);
  const requests = await apiRequests(scene);
  const api = new ApiLoad({ url, requests, untilAgain: async () => undefined });
  const codes: (number | null)[] = [];
  for (const service of services) {
    await surge(service);
    codes.push(await installation.process(service).stop());
    await load.acceptedMore(20);
  }
  const outcomes = await api.stop();
  await load.stop();
  process.stdout.write(`${outcomes.length} requests, ${api.askedAgain} of them asked twice\n`);
  expect(codes).toEqual(services.map(() => 0));
  expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
  expect(load.unanswered).toEqual([]);
  // What a session hears when its process goes: it says so before a message is begun, and a new session is served.
  expect(load.refused.filter(({ reply, isSentWhole }) => isSentWhole || !/^421 4\.3\.2 |^$/.test(reply))).toEqual([]);
  await expectNothingLost({ ...scene, rest: await restClient(url, installation.account) });
}, 300_000);
