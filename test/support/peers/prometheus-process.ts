import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { AttachedProcess } from "../../../scripts/peers/attached-process.ts";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { prometheus } from "../../../scripts/peers/prometheus.ts";
import { eventually } from "../eventually.ts";
import type { Installation } from "../installation/installation.ts";

interface Alert {
  labels: Record<string, string>;
  state: string;
}

/** Times in seconds since 1970. */
export interface Range {
  fromS: number;
  toS: number;
  stepS: number;
}

/** What one query gives for one set of labels: values by their time in seconds since 1970, as text, "NaN" among them. */
export interface Series {
  metric: Record<string, string>;
  values: [timeS: number, value: string][];
}

/** A Prometheus that scrapes processes each second and evaluates rules as often. */
export interface PrometheusProcess {
  /** Whether an alert fires, or will unless what it is about ends; of an objective the one with the shortest windows. */
  state(alert: string): Promise<"firing" | "pending" | "gone">;
  /** @throws Error with what Prometheus says against the query */
  range(query: string, range: Range): Promise<Series[]>;
  stop(): Promise<void>;
}

/** Of all processes of a fleet; what it scrapes has the namespace "fleet" and the service as its component. */
export async function startPrometheus(fleet: Installation, rules: object): Promise<PrometheusProcess> {
  const program = await prometheus();
  const folder = await mkdtemp(join(tmpdir(), "postern-prometheus-"));
  const [port = 0] = await freePorts(1);
  const jobs = fleet.processes().map(({ options }) => ({
    targets: [new URL(options.healthUrl).host],
    labels: { namespace: "fleet", component: options.target },
  }));
  await writeFile(join(folder, "rules.yaml"), stringify(rules));
  const configuration = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(folder, "rules.yaml")],
    scrape_configs: [{ job_name: "postern", static_configs: jobs }],
  };
  await writeFile(join(folder, "prometheus.yaml"), stringify(configuration));
  const flags = {
    "config.file": join(folder, "prometheus.yaml"),
    "storage.tsdb.path": join(folder, "data"),
    "web.listen-address": `127.0.0.1:${port}`,
    "log.level": "warn",
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const server = await AttachedProcess.start("prometheus", join(folder, "log"), [program, ...words]);
  const ask = async <T>(path: string, words: Readonly<Record<string, string>> = {}): Promise<T> => {
    const url = `http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(words)}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    const { data, error } = (await answer.json()) as { data?: T; error?: string };
    if (!data) throw new Error(`Prometheus refuses ${words["query"] ?? path}: ${error}`);
    return data;
  };
  const alerts = async () => {
    const { alerts } = await ask<{ alerts: Alert[] }>("alerts");
    return alerts.filter(({ labels }) => (labels["window"] ?? "1h") === "1h");
  };
  const range = async (query: string, { fromS, toS, stepS }: Range) => {
    const words = { query, start: String(fromS), end: String(toS), step: String(stepS) };
    return (await ask<{ result: Series[] }>("query_range", words)).result;
  };
  const state = async (alert: string) => {
    const states = (await alerts()).filter(({ labels }) => labels["alertname"] === alert).map((each) => each.state);
    if (states.includes("firing")) return "firing";
    return states.length > 0 ? "pending" : "gone";
  };
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually(alerts, { patienceMs: 30_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { state, range, stop };
}
