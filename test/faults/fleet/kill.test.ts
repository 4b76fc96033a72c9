import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { inFlightLimit, type Scene, setScene } from "../fault-installation.ts";

let scene: Scene;

beforeAll(async () => {
  scene = await setScene();
});
afterAll(() => scene?.dispose());

test("each service killed in turn while mail pours in, nothing is lost that was accepted", async () => {
  const load = scene.pour("killed");
  for (const process of scene.installation.processes()) {
    await load.acceptedMore(50);
    await process.kill();
    process.start();
  }
  await load.acceptedMore(50);
  await load.stop();
  await scene.installation.revive();
  expect(load.accepted.length).toBeGreaterThan(400);
  await expectNothingLost(scene, { forwardedTwice: inFlightLimit, calledTwice: inFlightLimit });
}, 300_000);
