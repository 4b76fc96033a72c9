import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { runCommand } from "../../scripts/peers/command.ts";
import { promtool } from "../../scripts/peers/prometheus.ts";
import { chart, root } from "./support/helm.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const ruleFiles = globSync("files/rules/*.yaml", { cwd: chart });
const dashboards = globSync("files/dashboards/*.json", { cwd: chart });
const texts = [...ruleFiles, ...dashboards].map((file) => read(`charts/postern/${file}`));
const page = read("docs/metrics.md");
const documented = new Map(
  [...page.matchAll(/^\| `(postern_\w+)` \| (\w+) \| ([\w, ]*) ?\|/gm)].map(([, name, kind, labels]) => [
    name,
    {
      kind,
      labels: (labels ?? "")
        .split(",")
        .map((label) => label.trim())
        .filter(Boolean),
    },
  ]),
);

/** metrics.counter("name", "help", ["label"]): as the code declares them. */
function declared() {
  const files = globSync("{services,gateway}/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] });
  const declaration = /metrics\s*\.(counter|gauge|histogram)\(\s*"(postern_\w+)"/g;
  // Every queue has the same two.
  const queue = /observeQueue\(metrics, db, \{\s*prefix: "(postern_\w+)"/g;
  return files.flatMap((file) => [
    ...[...read(file).matchAll(declaration)].map(([, kind, name]) => ({ kind, name })),
    ...[...read(file).matchAll(queue)].flatMap(([, prefix]) =>
      ["in_flight", "oldest_waiting_seconds"].map((name) => ({ kind: "gauge", name: `${prefix}_${name}` })),
    ),
  ]);
}

test("the page names every metric of the code, with its kind, and no other", () => {
  const kinds = Object.fromEntries(declared().map(({ kind, name }) => [name, kind]));
  expect(Object.fromEntries([...documented].map(([name, { kind }]) => [name, kind]))).toEqual(kinds);
});

test("rules and dashboards use metrics that are on the page, and ratios that are recorded", () => {
  const used = texts.flatMap((text) => text.match(/\bpostern_\w+/g) ?? []);
  const metrics = new Set(used.map((name) => name.replace(/_(bucket|count|sum)$/, "")));
  expect([...metrics].filter((name) => !documented.has(name))).toEqual([]);
  const recorded = texts.flatMap((text) => [...text.matchAll(/record: (\S+)/g)].map(([, name]) => name));
  const ratios = new Set(texts.flatMap((text) => text.match(/postern:\w+:\w+/g) ?? []));
  expect([...ratios].filter((name) => !recorded.includes(name))).toEqual([]);
});

const alerts = ruleFiles
  .flatMap((file) => (parse(read(`charts/postern/${file}`)) as Rules).groups.flatMap((group) => group.rules))
  .filter((rule) => rule.alert !== undefined);

test("every alert has a runbook that is there, and every runbook an alert", () => {
  expect(alerts.length).toBeGreaterThan(0);
  const books = new Set<string>();
  for (const { alert, annotations } of alerts) {
    const path = annotations?.["runbook_url"]?.replace("https://github.com/postern/postern/blob/main/", "") ?? "";
    books.add(path);
    expect([alert, existsSync(join(root, path))]).toEqual([alert, true]);
    expect(read(path)).toMatch(new RegExp(`^# ${alert}\n[\\s\\S]*\\*\\*Look at\\*\\*[\\s\\S]*\\*\\*Do\\*\\*`));
  }
  expect([...books].sort()).toEqual(globSync("docs/runbooks/*.md", { cwd: root }).sort());
});

test("a runbook for Kubernetes says what to do without it as well", () => {
  const pages = globSync("docs/runbooks/*.md", { cwd: root }).map((path) => [path, read(path)] as const);
  const forKubernetes = pages.filter(([, text]) => /\b(kubectl|helm) /.test(text));
  expect(forKubernetes.length).toBeGreaterThan(0);
  for (const [path, text] of forKubernetes) {
    const [, without = ""] = text.split("**Without Kubernetes**");
    for (const command of [/`docker compose /, /`(npm run|curl) /])
      expect([path, without]).toEqual([path, expect.stringMatching(command)]);
  }
});

test("what runbooks say of compose, npm and the operator's command is there", () => {
  const text = globSync("docs/runbooks/*.md", { cwd: root }).map(read).join("\n");
  const said = (form: RegExp) => [...new Set([...text.matchAll(form)].map(([, name]) => name))];
  const { services } = parse(read("compose.yaml")) as { services: Record<string, unknown> };
  const containers = said(/docker compose [^`]*?(?:exec|logs|restart|--detach|--scale) ([a-z]+)\b/g);
  expect(containers).toContain("webhook");
  expect(containers.filter((name) => !Object.keys(services).includes(name ?? ""))).toEqual([]);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(said(/npm run ([\w:-]+)/g).filter((name) => scripts[name ?? ""] === undefined)).toEqual([]);
  const sources = globSync("services/admin/**/*.ts", { cwd: root }).map(read).join("\n");
  const commands = [...sources.matchAll(/^ {2,4}name: "([a-z -]+)",$/gm)].map(([, name]) => name);
  const asked = said(/`[^`]*(?:services\/admin\.ts|admin --) ([a-z -]+?)(?= [A-Z]| --|`)/g);
  expect(asked).toContain("destination list");
  expect(asked.filter((name) => !commands.includes(name))).toEqual([]);
});

interface Rules {
  groups: { rules: { alert?: string; labels?: Record<string, string>; annotations?: Record<string, string> }[] }[];
}

interface RuleTests {
  tests: { alert_rule_test?: { alertname: string; exp_alerts?: { exp_labels: Record<string, string> }[] }[] }[];
}

test("every alert fires in some test, in each of its windows", () => {
  const named = (name = "", labels: Record<string, string> = {}) =>
    [name, labels["severity"], labels["window"]].filter(Boolean).join(" ");
  const { tests } = parse(read("test/chart/rules.test.yaml")) as RuleTests;
  const fired = tests
    .flatMap((each) => each.alert_rule_test ?? [])
    .flatMap(({ alertname, exp_alerts = [] }) => exp_alerts.map(({ exp_labels }) => named(alertname, exp_labels)));
  expect(alerts.map(({ alert, labels }) => named(alert, labels)).filter((name) => !fired.includes(name))).toEqual([]);
});

test("panels of latencies lead to traces", () => {
  const targets = dashboards.flatMap((file) =>
    (JSON.parse(read(`charts/postern/${file}`)) as Dashboard).panels.flatMap((panel) => panel.targets),
  );
  const latencies = targets.filter(({ expr }) => /^histogram_quantile.*_seconds_bucket/.test(expr));
  expect(latencies.length).toBeGreaterThan(0);
  expect(latencies.filter(({ exemplar }) => exemplar !== true)).toEqual([]);
});

interface Dashboard {
  panels: { targets: { expr: string; exemplar?: boolean }[] }[];
}

test("promtool takes the rules, and they say what they should", async () => {
  const tool = await promtool();
  await runCommand(tool, ["check", "rules", ...ruleFiles.map((file) => join(chart, file))], 120_000);
  await runCommand(tool, ["test", "rules", join(import.meta.dirname, "rules.test.yaml")], 120_000);
}, 600_000);
