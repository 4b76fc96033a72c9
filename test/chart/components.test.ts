import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { topics } from "../../proto/topics.ts";
import { chartVariables } from "../../scripts/chart-variables.ts";
import { loadConfig } from "../../services/platform/config.ts";
import { hostConfig } from "../../services/platform/runtime/host.ts";
import { telemetryConfig } from "../../services/platform/telemetry/config.ts";
import { loadAllServices } from "../../services/targets.ts";
import { consumesTopic } from "../support/consumed-topics.ts";
import { chart, render, root } from "./support/helm.ts";

interface Fact {
  needs: string[];
  isStored: boolean;
  blobs: boolean;
  backlog: string[];
}

const facts: Record<string, Fact> = parse(readFileSync(join(chart, "files/components.yaml"), "utf8"));
const services = await loadAllServices();
const sources = (name: string) =>
  globSync(`services/${name}/**/*.ts`, { cwd: root, exclude: ["**/*.test.ts"] }).map((file) =>
    readFileSync(join(root, file), "utf8"),
  );

test("the chart knows every service, and whom it needs", () => {
  const asBuilt = services.map(({ name, needs, migrations }) => [
    name,
    {
      needs: Object.values(needs)
        .map((contract) => contract.service)
        .sort(),
      isStored: migrations !== undefined,
    },
  ]);
  const asCharted = Object.entries(facts).map(([name, { needs, isStored }]) => [
    name,
    { needs: [...needs].sort(), isStored },
  ]);
  expect(Object.fromEntries(asCharted)).toEqual(Object.fromEntries(asBuilt));
});

test("each service can be in a group", () => {
  const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8"));
  const { enum: members } = schema.properties.groups.additionalProperties.items;
  expect([...members].sort()).toEqual(Object.keys(facts).sort());
});

test("ARCHITECTURE.md says which services each one calls", () => {
  const rows = [...readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(/^\| (\w+) \|([a-z, ]*)\|$/gm)];
  const documented = rows.map(([, name, calls = ""]) => [name, calls.trim() === "" ? [] : calls.trim().split(", ")]);
  const asCharted = Object.entries(facts).map(([name, { needs }]) => [name, [...needs].sort()]);
  expect(documented.filter(([name]) => `${name}` in facts)).toEqual(asCharted);
});

test("what it says of bytes and of what is read is so in the code", () => {
  for (const [name, { blobs, backlog }] of Object.entries(facts)) {
    const code = sources(name).join("\n");
    expect([name, /\bblobs\b/.test(code)]).toEqual([name, blobs]);
    const read = Object.entries(topics).filter(([key]) => consumesTopic(code, key));
    expect(read.map(([, topic]) => topic.name)).toEqual(expect.arrayContaining(backlog));
  }
});

test("the chart knows who publishes and consumes the topics of backlogs", () => {
  const known = parse(readFileSync(join(chart, "files/topics.yaml"), "utf8"));
  const backlogs = new Set(Object.values(facts).flatMap(({ backlog }) => backlog));
  const asBuilt = Object.values(topics)
    .filter(({ name, isOrdered }) => backlogs.has(name) && !isOrdered)
    .map(({ name, publishers, consumers }) => [name, { publishers, consumers }]);
  expect(known).toEqual(Object.fromEntries(asBuilt));
  expect(Object.keys(known)).toHaveLength(backlogs.size);
});

test("config takes every other variable that a service reads, and none that is not (npm run chart-variables)", async () => {
  const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8"));
  expect(Object.keys(schema.$defs.config.properties)).toEqual(await chartVariables());
});

test("every variable that the chart sets is one that the services, or OpenTelemetry, read, in a form that they take", async () => {
  const known = [...Object.keys(hostConfig(services)), ...services.map(({ name }) => `${name.toUpperCase()}_URL`)];
  const objects = await render("everything-values.yaml");
  const data = objects.find(({ kind }) => kind === "ConfigMap")?.["data"] as Record<string, string>;
  expect(Object.keys(data).filter((name) => !known.includes(name))).toEqual(["OTEL_PROPAGATORS"]);
  expect(loadConfig(telemetryConfig, data)).toMatchObject({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.observability:4318",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.1",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "otlp",
  });
});
