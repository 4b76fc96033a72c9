import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { prometheus } from "../../scripts/peers/prometheus.ts";
import { eventually } from "../support/eventually.ts";

interface Alert {
  labels: Record<string, string>;
  state: string;
}

/** A Prometheus that scrapes processes each second and evaluates rules as often. */
export interface PrometheusProcess {
  /** Whether an alert fires, or will unless what it is about ends; of an objective the one with the shortest windows. */
  state(alert: string): Promise<"firing" | "pending" | "gone">;
  stop(): Promise<void>;
}

/** @param targets host:port of each process, by the name of its service */
export async function startPrometheus(
  targets: Readonly<Record<string, string>>,
  rules: object,
): Promise<PrometheusProcess> {
  const program = await prometheus();
  const folder = await mkdtemp(join(tmpdir(), "postern-prometheus-"));
  const [port = 0] = await freePorts(1);
  const jobs = Object.entries(targets).map(([component, target]) => ({
    targets: [target],
    labels: { namespace: "fleet", component },
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
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  const alerts = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`, { signal: AbortSignal.timeout(5_000) });
    const { data } = (await answer.json()) as { data: { alerts: Alert[] } };
    return data.alerts.filter(({ labels }) => (labels["window"] ?? "1h") === "1h");
  };
  const state = async (alert: string) => {
    const states = (await alerts()).filter(({ labels }) => labels["alertname"] === alert).map((each) => each.state);
    if (states.includes("firing")) return "firing";
    return states.length > 0 ? "pending" : "gone";
  };
  const stop = async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually(alerts, { patienceMs: 30_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { state, stop };
}
