import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { inFlightLimit, type Scene, setScene } from "../fault-installation.ts";

let scene: Scene;

beforeAll(async () => {
  scene = await setScene();
});
afterAll(() => scene?.dispose());

test("killed while mail pours in, the process loses nothing that it had accepted", async () => {
  const { installation } = scene;
  const load = scene.pour("killed");
  const kills = 3;
  for (let kill = 0; kill < kills; kill++) {
    await load.acceptedMore(150);
    await installation.process("ingress").kill();
    await installation.revive();
  }
  await load.acceptedMore(50);
  await load.stop();
  expect(load.accepted.length).toBeGreaterThan(400);
  await expectNothingLost(scene, { forwardedTwice: kills * inFlightLimit, calledTwice: kills * inFlightLimit });
}, 300_000);
