import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { ConfigurationError } from "../../services/platform/errors.ts";
import { loadAllServices, loadTargets } from "../../services/targets.ts";
import { compileCache } from "../support/compile-cache.ts";

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
      ...compileCache,
      ...shared,
      SECRET_KEY: "k".repeat(31),
      SECRET_KEY_PREVIOUS: "short",
      PATH: process.env["PATH"],
    };
    const { status, stderr } = spawnSync(process.execPath, ["services/main.ts", `--target=${target}`], {
      env,
      encoding: "utf8",
    });
    expect(stderr).toMatch(/SECRET_KEY: expected at least 32 characters/);
    expect(stderr).not.toContain("SECRET_KEY_PREVIOUS");
    expect(status).toBe(78);
  },
);

test("a process loads the libraries of its own services alone, and with the services none that only few calls need", () => {
  const libraries = ["@apollo/gateway", "kafkajs", "ioredis", "httpxy", "graphql", "@simplewebauthn/server", "undici"];
  const recorders = ["@opentelemetry/sdk-node", "@opentelemetry/sdk-trace", "@opentelemetry/api-logs", "@grpc/grpc-js"];
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
  expect(loadedBy("auth,webhook")).toEqual(["graphql"]);
});
