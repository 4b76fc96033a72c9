import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
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

test("a first start reports a wrong DATABASE_URL with all other faults", () => {
  const { PATH } = process.env;
  const env = { PATH, DATABASE_URL: "mysql://host/postern", SIGNUP: "maybe" };
  const { status, stderr } = spawnSync(process.execPath, [builtProgram("main")], { env, encoding: "utf8" });
  expect(stderr).toContain("The configuration has 2 faults:");
  expect(stderr).toContain("DATABASE_URL: expected");
  expect(stderr).toContain("SIGNUP: expected");
  expect(status).toBe(78);
});

test.each([
  ["BOOTSTRAP_USER", "BOOTSTRAP_PASSWORD"],
  ["BOOTSTRAP_PASSWORD", "BOOTSTRAP_USER"],
])("a first start with %s alone reports it with all other faults, before it makes anything", async (given, missing) => {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-faults-"));
  const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, [given]: "you@example.org", SIGNUP: "maybe" };
  const { status, stderr } = spawnSync(process.execPath, [builtProgram("main")], { env, encoding: "utf8" });
  expect(stderr).toContain("The configuration has 2 faults:");
  expect(stderr).toContain(`${missing}: is not set; expected beside ${given}, or neither`);
  expect(stderr).toContain("SIGNUP: expected");
  expect(status).toBe(78);
  expect(await readdir(dataDir)).toEqual([]);
  await rm(dataDir, { recursive: true });
});

const libraries = ["@apollo/gateway", "kafkajs", "ioredis", "httpxy", "graphql", "@simplewebauthn/server", "undici"];
const recorders = ["@opentelemetry/sdk-node", "@opentelemetry/sdk-trace", "@opentelemetry/api-logs", "@grpc/grpc-js"];

test("a process loads the libraries of its own services alone, and with the services none that only few calls need", () => {
  const loadedBy = (target: string) => {
    const script = `
      import { registerHooks } from "node:module";
      const urls = [];
      registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
      const { loadTargets } = await import("./services/targets.ts");
      await loadTargets("${target}", ${JSON.stringify(shared)});
      await import("./services/platform/runtime/host.ts");
      const { startTelemetry } = await import("./services/platform/telemetry/start.ts");
      await startTelemetry({ config: {}, service: "", logger: {}, metrics: {} });
      console.log(JSON.stringify(${JSON.stringify([...libraries, ...recorders])}.filter((name) =>
        urls.some((url) => url.includes("/node_modules/" + name + "/")))));`;
    const node = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", script];
    return JSON.parse(execFileSync(process.execPath, node, { encoding: "utf8" })) as string[];
  };
  expect(loadedBy("ingress")).toEqual([]);
  expect(loadedBy("rest")).toEqual([]);
  expect(loadedBy("auth,webhook")).toEqual([]);
});

const files = () =>
  JSON.parse(readFileSync(join(dirname(builtProgram("main")), contentsFile), "utf8")) as readonly BundledFile[];

/** What a process that began with these sources has loaded of the bundle: sources, and what is not bundled by its name. */
function bundledWith(begun: readonly string[]): string[] {
  const all = files();
  const found = new Set(all.filter(({ sources }) => begun.some((path) => sources.includes(path))));
  // A set shows what is added to it while it is gone through.
  for (const { imports } of found) for (const each of all) if (imports.includes(each.fileName)) found.add(each);
  return [...found].flatMap(({ sources, imports }) => [...sources, ...imports]);
}

test("of the bundle as well a process loads the libraries of its own services alone", () => {
  const among = (loaded: readonly string[]) =>
    [...libraries, ...recorders].filter((name) =>
      loaded.some((each) => each === name || each.startsWith(`node_modules/${name}/`)),
    );
  const loadedBy = (...services: string[]) => {
    const loaded = bundledWith(["services/main.ts", ...services.map((name) => `services/${name}/module.ts`)]);
    expect(loaded).toEqual(expect.arrayContaining(["services/targets.ts", "services/platform/runtime/host.ts"]));
    return among(loaded);
  };
  expect(loadedBy("ingress")).toEqual([]);
  expect(loadedBy("rest")).toEqual([]);
  expect(loadedBy("auth", "webhook")).toEqual([]);
  // All but undici are there, where they are asked for.
  const there = among(files().flatMap(({ sources, imports }) => [...sources, ...imports]));
  expect(there).toEqual([...libraries, ...recorders].filter((name) => name !== "undici"));
});

test("what nobody calls is left out of the bundle", () => {
  const loaded = bundledWith(["gateway/graph/apollo-worker.ts"]);
  const telemetry = /exporter-metrics-otlp-http|resource-detector|ts-graphviz|whatwg-url|@apollo\/composition/;
  expect(loaded.filter((path) => telemetry.test(path))).toEqual([]);
  expect(loaded.some((path) => path.startsWith("node_modules/@apollo/query-planner/"))).toBe(true);
});
