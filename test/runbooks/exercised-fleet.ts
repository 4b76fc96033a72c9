import { apiRequests } from "../faults/api.ts";
import { startFaultFixture } from "../faults/fault-fixture.ts";
import { eventually } from "../support/eventually.ts";
import { ApiLoad } from "../support/http/api-load.ts";
import { ownKafka } from "../support/peers/kafka.ts";
import type { Exercised } from "./exercise.ts";

/** Starts a fleet with a Kafka of its own. `dispose` ends it whatever state a fault has left it in, and its load before. */
export async function startExercised(): Promise<Exercised> {
  const kafka = await ownKafka();
  const fixture = await startFaultFixture({ KAFKA_BROKERS: kafka.brokers });
  const ends: (() => Promise<void>)[] = [];
  const loads: ApiLoad[] = [];
  return {
    ...fixture,
    kafka,
    defer: (end) => void ends.push(end),
    async load(name) {
      await fixture.sendUntilStopped(name, { restMs: 2_000 }).acceptedMore(20);
      const requests = await eventually(() => apiRequests(fixture));
      loads.push(new ApiLoad({ url: fixture.installation.url, requests }));
    },
    async dispose() {
      await Promise.all([fixture.stopLoads(), ...loads.map((load) => load.stop())]);
      // What was not mended may keep a process from ending by itself.
      await Promise.all(fixture.installation.processes().map((process) => process.kill()));
      await fixture.dispose();
      await Promise.all([kafka.dispose(), ...ends.map((end) => end())]);
    },
  };
}
