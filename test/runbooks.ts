import { setTimeout as delay } from "node:timers/promises";
import { apiErrors } from "./runbooks/api-errors.ts";
import { blockedAtProvider } from "./runbooks/blocked-at-provider.ts";
import { callbacksFailing } from "./runbooks/callbacks-failing.ts";
import { deadEvents } from "./runbooks/dead-events.ts";
import { deliveriesDelayed } from "./runbooks/deliveries-delayed.ts";
import { type Exercise, type Exercised, Runbook } from "./runbooks/exercise.ts";
import { startExercised } from "./runbooks/exercised-fleet.ts";
import { forwardingStopped } from "./runbooks/forwarding-stopped.ts";
import { mailDeferred } from "./runbooks/mail-deferred.ts";
import { mailDelayed } from "./runbooks/mail-delayed.ts";
import { outboxStuck } from "./runbooks/outbox-stuck.ts";
import { scaledRules } from "./runbooks/scaled-rules.ts";
import { type PrometheusProcess, startPrometheus } from "./support/peers/prometheus-process.ts";

// `npm run runbooks [-- NAME…]`: for each page of docs/runbooks that is listed here, its fault is raised in a fleet under load, its alert
// has to fire in a real Prometheus with the chart's rules, what the page says to do is done, and the alert has to end.
// Windows and waiting times of the rules are a sixtieth of the chart's: 5 m are 5 s. Thresholds are the chart's own.

const timeFactor = 60;
const patienceMs = 180_000;
const exercises: Readonly<Record<string, Exercise>> = {
  "dead-events": deadEvents,
  "blocked-at-provider": blockedAtProvider,
  "deliveries-delayed": deliveriesDelayed,
  "outbox-stuck": outboxStuck,
  "forwarding-stopped": forwardingStopped,
  "callbacks-failing": callbacksFailing,
  "mail-deferred": mailDeferred,
  "api-errors": apiErrors,
  "mail-delayed": mailDelayed,
};
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Seconds until an alert fires, or is gone. */
async function secondsUntil(server: PrometheusProcess, alert: string, wanted: "firing" | "gone"): Promise<string> {
  const from = Date.now();
  for (;;) {
    const state = await server.state(alert);
    if (state === wanted) break;
    if (Date.now() - from > patienceMs)
      throw new Error(`${alert} is ${state}, not ${wanted}, after ${patienceMs / 1000} s`);
    await delay(200);
  }
  return ((Date.now() - from) / 1000).toFixed(1);
}

async function exerciseOne(name: string, fixture: Exercised, server: PrometheusProcess): Promise<void> {
  const exercise = exercises[name];
  if (!exercise) throw new Error(`no such runbook is exercised; there are ${Object.keys(exercises).join(", ")}`);
  const book = new Runbook(name, fixture.installation.environment);
  await secondsUntil(server, book.alert, "gone");
  await exercise.raise(fixture);
  say(`${name}: fault raised`);
  say(`  ${book.alert} fired after ${await secondsUntil(server, book.alert, "firing")} s`);
  const from = Date.now();
  await exercise.mend(fixture, book);
  await secondsUntil(server, book.alert, "gone");
  say(`  mended after ${((Date.now() - from) / 1000).toFixed(1)} s`);
}

const named = process.argv.slice(2);
const fixture = await startExercised();
const server = await startPrometheus(fixture.installation, await scaledRules(timeFactor));
let failed = 0;
try {
  await fixture.load("runbooks");
  for (const name of named.length > 0 ? named : Object.keys(exercises)) {
    try {
      await exerciseOne(name, fixture, server);
    } catch (error) {
      failed++;
      say(`  FAILED  ${name}: ${error instanceof Error ? error.stack : error}`);
      await fixture.installation.revive();
    }
  }
} finally {
  await server.stop();
  await fixture.dispose();
}
say(`${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
