import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { builtProgram } from "../../scripts/services/built.ts";
import { type BundledFile, contentsFile } from "../../scripts/services/bundle.ts";
import { ConfigurationError } from "../../services/platform/errors.ts";
import { loadAllServices, loadTargets } from "../../services/targets.ts";

const shared = { SECRET_KEY: "key", DATABASE_URL: "postgres://db", KAFKA_BROKERS: "broker:9092" };

test("all is every service, by whatever name, and nothing else has the whole installation", async () => {
  const names = (await loadAllServices()).map(({ name }) => name);
  for (const target of ["all", names.join(","), [...names].reverse().join(", ")])
    expect(await loadTargets(target, {})).toMatchObject({ name: "postern", isPart: false, services: { length: 8 } });
  const part = await loadTargets("mailbox, auth", shared);
  expect(part).toMatchObject({ name: "postern-auth,mailbox", isPart: true });
  expect(part.services.map(({ name }) => name)).toEqual(["auth", "mailbox"]);
});

test("a target that is none, and a part without what processes share, are faults of the configuration", async () => {
  await expect(loadTargets("mailbox,post", shared)).rejects.toThrow(/post is none of all, auth/);
  await expect(loadTargets("mailbox", {})).rejects.toThrow(ConfigurationError);
  await expect(loadTargets("mailbox", {})).rejects.toThrow(/SECRET_KEY[\s\S]*DATABASE_URL[\s\S]*KAFKA_BROKERS/);
});

test.each(["all", "mailbox"])(
  "a process (%s) with a SECRET_KEY under 32 characters ends with 78 at its start",
  (target) => {
    const env = {
      ...shared,
      SECRET_KEY: "k".repeat(31),
      SECRET_KEY_PREVIOUS: "short",
      PATH: process.env["PATH"],
    };
    const { status, stderr } = spawnSync(process.execPath, [builtProgram("main"), `--target=${target}`], {
      env,
      encoding: "utf8",
    });
    expect(stderr).toMatch(/SECRET_KEY: expected at least 32 characters/);
    expect(stderr).not.toContain("SECRET_KEY_PREVIOUS");
    expect(status).toBe(78);
  },
);

const files = () =>
  JSON.parse(readFileSync(join(dirname(builtProgram("main")), contentsFile), "utf8")) as readonly BundledFile[];

/** What a process has loaded of the bundle once it began with these sources. */
function loadedBy(begun: readonly string[]): Set<string> {
  const all = files();
  const found = new Set(all.filter(({ sources }) => begun.some((path) => sources.includes(path))));
  // A set shows what is added to it while it is gone through.
  for (const { imports } of found) for (const each of all) if (imports.includes(each.fileName)) found.add(each);
  return new Set([...found].flatMap(({ sources }) => sources));
}

test("a process loads the libraries of its own services alone, and with the services none that only few calls need", () => {
  const libraries = ["@apollo/gateway", "ioredis", "httpxy", "graphql", "@simplewebauthn/server"];
  const recorders = ["@opentelemetry/sdk-node", "@opentelemetry/sdk-trace", "@opentelemetry/api-logs", "@grpc/grpc-js"];
  const loaded = (...services: string[]) => {
    const sources = [...loadedBy(["services/main.ts", ...services.map((name) => `services/${name}/module.ts`)])];
    expect(sources).toEqual(expect.arrayContaining(["services/targets.ts", "services/platform/runtime/host.ts"]));
    return [...libraries, ...recorders].filter((name) =>
      sources.some((path) => path.startsWith(`node_modules/${name}/`)),
    );
  };
  expect(loaded("ingress")).toEqual([]);
  expect(loaded("rest")).toEqual([]);
  expect(loaded("auth", "webhook")).toEqual(["graphql"]);
  // Each is there, where it is asked for.
  const there = files().flatMap(({ sources }) => sources);
  for (const name of [...libraries, ...recorders])
    expect([name, there.some((path) => path.startsWith(`node_modules/${name}/`))]).toEqual([name, true]);
});

test("the bundle's entries have what was said that nobody calls left out", () => {
  const loaded = [...loadedBy(["gateway/graph/apollo-thread.ts"])];
  const telemetry = /exporter-metrics-otlp-http|resource-detector|ts-graphviz|whatwg-url|@apollo\/composition/;
  expect(loaded.filter((path) => telemetry.test(path))).toEqual([]);
  expect(loaded.some((path) => path.startsWith("node_modules/@apollo/query-planner/"))).toBe(true);
});
