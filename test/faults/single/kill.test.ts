import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, inFlightLimit, startFaultFixture } from "../fault-fixture.ts";

let fixture: FaultFixture;

beforeAll(async () => {
  fixture = await startFaultFixture();
});
afterAll(() => fixture?.dispose());

test("killed while mail pours in, the process loses nothing that it had accepted", async () => {
  const { installation } = fixture;
  const load = fixture.sendUntilStopped("killed");
  const kills = 3;
  for (let kill = 0; kill < kills; kill++) {
    await load.acceptedMore(150);
    await installation.process("ingress").kill();
    await installation.revive();
  }
  await load.acceptedMore(50);
  await load.stop();
  expect(load.accepted.length).toBeGreaterThan(400);
  await expectNothingLost(fixture, { forwardedTwice: kills * inFlightLimit, calledTwice: kills * inFlightLimit });
}, 300_000);
