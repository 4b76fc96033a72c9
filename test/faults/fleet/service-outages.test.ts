import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { FleetService } from "../../../scripts/fleet/fleet.ts";
import { ApiLoad, type ApiOutcome, askOnce } from "../../support/http/api-load.ts";
import { SmtpClient } from "../../support/mail/smtp.ts";
import { apiRequests } from "../api.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, inFlightLimit, startFaultFixture } from "../fault-fixture.ts";

let fixture: FaultFixture;

beforeAll(async () => {
  fixture = await startFaultFixture();
  // The API's requests ask for one that is there.
  const load = fixture.sendUntilStopped("before");
  await load.acceptedMore(3);
  await load.stop();
  await expectNothingLost(fixture);
});
afterEach(() => fixture.stopLoads());
afterAll(() => fixture?.dispose());

const inTurn: readonly FleetService[] = ["auth", "bindings", "mailbox", "forwarder", "webhook", "ingress", "rest"];

test("one service down at a time: 503 for what needs it, and the rest goes on", async () => {
  const { installation } = fixture;
  const requests = await apiRequests(fixture);
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
  const { installation, browsable } = fixture;
  const client = await SmtpClient.open(installation.smtpPort);
  await installation.process("bindings").kill();
  await client.command("MAIL FROM:<ann@example.com>");
  expect(await client.command(`RCPT TO:<${browsable.proxyAddress}>`)).toMatch(/^451 4\.3\.0 /);
  expect(await client.command("RCPT TO:<nobody@postern.localhost>")).toMatch(/^451 4\.3\.0 /);
  await installation.revive();
  expect(await client.command(`RCPT TO:<${browsable.proxyAddress}>`)).toMatch(/^250 /);
  expect(await client.command("RCPT TO:<nobody@postern.localhost>")).toMatch(/^550 5\.1\.1 /);
  client.destroy();
});

test("each service stopped by SIGTERM and started again under load: nothing lost or doubled, nor refused after its Retry-After", async () => {
  const { installation } = fixture;
  // Every fourth callback fails, so that attempts are due again while processes come and go.
  const calls = fixture.target.received.length;
  fixture.target.answerWith(...Array.from({ length: 2_000 }, (_, index) => (index % 4 === 0 ? 503 : 200)));
  const load = fixture.sendUntilStopped("rolling", { restMs: 500 });
  await load.acceptedMore(50);
  const requests = await apiRequests(fixture);
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
  await expectNothingLost(fixture);
  expect(fixture.target.received.slice(calls).filter(({ status }) => status === 503).length).toBeGreaterThan(50);
  // Eight services stop and start one after the other, each under load.
}, 600_000);

test("each service killed in turn while mail pours in, nothing is lost that was accepted", async () => {
  const load = fixture.sendUntilStopped("killed");
  for (const process of fixture.installation.processes()) {
    await load.acceptedMore(50);
    await process.kill();
    process.start();
  }
  await load.acceptedMore(50);
  await load.stop();
  await fixture.installation.revive();
  expect(load.accepted.length).toBeGreaterThan(400);
  await expectNothingLost(fixture, { forwardedTwice: inFlightLimit, calledTwice: inFlightLimit });
}, 300_000);

/** With what the processes logged under the id of its answer. */
function explained(outcome: ApiOutcome) {
  const id = /"id":"([^"]+)"/.exec(outcome.text)?.[1];
  const logged = fixture.installation.output().split("\n");
  return { ...outcome, logged: id === undefined ? [] : logged.filter((line) => line.includes(id)) };
}
