import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { loadAllServices } from "../../services/targets.ts";
import { chart } from "../chart/support/helm.ts";
import { dashboards } from "../dashboards/dashboard.ts";

const prometheus = "http://127.0.0.1:9090";
/** What compose.yaml calls the fleet. */
const namespace = "compose";
/** Queries about what one mail does: they have to find something. */
const accepted = "postern_smtp_accepted_total";

interface Rule {
  name: string;
  health: string;
  lastError?: string;
}

async function ask<T>(path: string, parameters: Record<string, string> = {}): Promise<T> {
  const address = `${prometheus}/api/v1/${path}?${new URLSearchParams(parameters)}`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
  const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: T };
  if (status !== "success") throw new Error(`Prometheus answered ${path} ${parameters["query"] ?? ""}: ${error}`);
  return data;
}

export async function scrapesEveryService(): Promise<void> {
  const { activeTargets } = await ask<{
    activeTargets: { labels: Record<string, string>; health: string; lastError: string }[];
  }>("targets");
  const services = await loadAllServices();
  const up = activeTargets.filter(({ health }) => health === "up").map(({ labels }) => labels["instance"]);
  const missing = services.map(({ name }) => `${name}:9090`).filter((instance) => !up.includes(instance));
  if (missing.length > 0) {
    const errors = activeTargets.map(({ lastError }) => lastError).filter(Boolean);
    throw new Error(`not scraped: ${missing.join(", ")}; ${errors.join("; ")}`);
  }
}

/** Every rule of the chart's files is there, and was evaluated without an error. */
export async function hasLoadedRules(): Promise<void> {
  const { groups } = await ask<{ groups: { rules: Rule[] }[] }>("rules");
  const loaded = groups.flatMap(({ rules }) => rules);
  const files = globSync("files/rules/*.yaml", { cwd: chart }).map((path) => readFileSync(join(chart, path), "utf8"));
  const written = files
    .flatMap((text) => (parse(text) as { groups: { rules: { record?: string; alert?: string }[] }[] }).groups)
    .flatMap(({ rules }) => rules.map(({ record, alert }) => record ?? alert ?? ""));
  const names = loaded.map(({ name }) => name).sort();
  if (JSON.stringify(names) !== JSON.stringify(written.sort()))
    throw new Error(`${names.length} rules are loaded, ${written.length} are written`);
  const unwell = loaded.filter(({ health }) => health !== "ok");
  if (unwell.length > 0)
    throw new Error(unwell.map(({ name, health, lastError }) => `${name}: ${lastError || health}`).join("; "));
}

/** @returns how many queries there are, in a line @throws the first that is refused */
export async function answersEveryQuery(): Promise<string> {
  const queries = dashboards().flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  );
  const found: string[] = [];
  for (const query of queries) {
    const time = Math.floor(Date.now() / 1_000);
    const range = { start: String(time - 300), end: String(time), step: "15" };
    const asked = query.replaceAll("$namespace", namespace);
    const { result } = await ask<{ result: unknown[] }>("query_range", { query: asked, ...range });
    if (result.length > 0) found.push(query);
  }
  if (!found.some((query) => query.includes(accepted))) throw new Error("no query shows the mail that was accepted");
  return `${queries.length} queries, ${found.length} of which have something to show`;
}
