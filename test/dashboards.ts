import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type DrawnDashboard, dashboards, drawnFrom } from "./dashboards/dashboard.ts";
import { sendBounces, sendToNobody } from "./dashboards/mishaps.ts";
import { savePictures } from "./dashboards/pictures.ts";
import { apiErrors } from "./runbooks/api-errors.ts";
import { blockedAtProvider } from "./runbooks/blocked-at-provider.ts";
import { callbacksFailing } from "./runbooks/callbacks-failing.ts";
import { deadEvents } from "./runbooks/dead-events.ts";
import { type Exercise, Runbook } from "./runbooks/exercise.ts";
import { startExercised } from "./runbooks/exercised-fleet.ts";
import { mailDelayed } from "./runbooks/mail-delayed.ts";
import { outboxStuck } from "./runbooks/outbox-stuck.ts";
import { scaledRules } from "./runbooks/scaled-rules.ts";
import { startPrometheus } from "./support/peers/prometheus-process.ts";

// `npm run dashboards [-- FOLDER] [--fault-seconds=N]`: a fleet under load, scraped by a real Prometheus with the chart's rules as they stand,
// goes through faults that its runbooks mend. Then the queries of each of the chart's dashboards are asked, none may fail or stay without
// data, and what they answer is drawn: a picture for each dashboard. Takes about twenty minutes.

const faults: Readonly<Record<string, Exercise>> = {
  "callbacks-failing": callbacksFailing,
  "mail-delayed": mailDelayed,
  "blocked-at-provider": blockedAtProvider,
  "outbox-stuck": outboxStuck,
  "dead-events": deadEvents,
  "api-errors": apiErrors,
};
/** As the range of most rates: what begins to be drawn before it shows how a counter began. */
const warmUpMs = 300_000;
const points = 300;
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  options: { "fault-seconds": { type: "string", default: "70" } },
  allowPositionals: true,
});
const [folder = "docs/pictures"] = positionals;
const faultMs = Number(values["fault-seconds"]) * 1_000;

const fixture = await startExercised();
const server = await startPrometheus(fixture.installation, await scaledRules(1));
const drawn: DrawnDashboard[] = [];
try {
  await fixture.load("dashboards");
  const mishaps = [sendToNobody(fixture), sendBounces(fixture)];
  await delay(warmUpMs);
  const fromS = Math.floor(Date.now() / 1_000);
  const raised: string[] = [];
  await delay(faultMs / 2);
  for (const [name, fault] of Object.entries(faults)) {
    say(`${name}, ${Math.round(Date.now() / 1_000 - fromS)} s from the beginning`);
    raised.push(name);
    await fault.raise(fixture);
    await delay(faultMs);
    await fault.mend(fixture, new Runbook(name, fixture.installation.environment));
    await delay(faultMs / 2);
  }
  const toS = Math.floor(Date.now() / 1_000);
  for (const mishap of mishaps) await mishap.stop();
  const range = { fromS, toS, stepS: Math.ceil((toS - fromS) / points) };
  const caption = `Drawn by "npm run dashboards" from this dashboard's queries. A fleet on one machine, under load, in which these were raised one after the other: ${raised.join(", ")}.`;
  for (const dashboard of dashboards())
    drawn.push({ ...(await drawnFrom(dashboard, range, (query) => server.range(query, range))), caption });
} finally {
  await server.stop();
  await fixture.dispose();
}
for (const { title, panels, complaints } of drawn) {
  say(`${title}: ${panels.length} panels`);
  for (const complaint of complaints) say(`  FAILED  ${complaint}`);
}
await mkdir(folder, { recursive: true });
for (const { path, sizeBytes } of await savePictures(drawn, (name) => join(folder, `dashboard-${name}.png`)))
  say(`${resolve(path)}, ${Math.ceil(sizeBytes / 1_000)} kB`);
process.exitCode = drawn.some(({ complaints }) => complaints.length > 0) ? 1 : 0;
