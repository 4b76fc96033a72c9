import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { z } from "zod";
import { storeImages } from "../../scripts/containers/images.ts";
import { offlineImages } from "../../scripts/offline/images.ts";
import { hasCommand, runCommand } from "../../scripts/peers/command.ts";
import { goProgram } from "../../scripts/peers/go-program.ts";
import { hostConfig } from "../../services/platform/runtime/host.ts";
import { loadAllServices } from "../../services/targets.ts";
import { render, root } from "./support/helm.ts";
import { podsOf } from "./support/pods.ts";

// compose.yaml, compose.offline.yaml and skaffold.yaml. Docker's and Skaffold's own verdict where they are to be had; else, for the first, that of
// the library which Docker Compose reads its files by, for the second what is known here of the form.

const limitMs = 120_000;
const buildLimitMs = 10 * 60_000;
const services = await loadAllServices();

interface Composed {
  services: Record<
    string,
    { command?: string[]; image: string; environment?: Record<string, string>; read_only?: boolean }
  >;
}

/** compose.yaml, with another over it, as Docker Compose understands it. @throws with what it has against it. */
async function composed(...others: string[]): Promise<Composed> {
  const paths = ["compose.yaml", ...others].map((name) => join(root, name));
  if (await hasCommand("docker", ["compose", "version"])) {
    const files = paths.map((path) => `--file=${path}`);
    return parse(await runCommand("docker", ["compose", ...files, "config"], limitMs));
  }
  const program = await goProgram({
    module: "github.com/compose-spec/compose-go/v2/cmd",
    version: "v2.16.2",
    name: "compose-go",
    needed: "compose.yaml is checked by Docker Compose, or by its library, which is built by Go 1.24 or later",
  });
  return parse(await runCommand(program, paths, limitMs));
}

test(
  "compose.yaml: every service of the fleet, read-only, told only what it reads, and every image pinned",
  async () => {
    const { services: found } = await composed();
    const known = [...Object.keys(hostConfig(services)), ...services.map(({ name }) => `${name.toUpperCase()}_URL`)];
    for (const { name } of services) {
      const { command, environment = {}, read_only } = found[name] ?? { image: "" };
      expect([name, command, read_only]).toEqual([name, ["dist/main.js", `--target=${name}`], true]);
      const unknown = Object.keys(environment).filter((key) => !known.includes(key));
      expect([name, unknown]).toEqual([name, []]);
    }
    for (const { image } of Object.values(found)) expect(image).toMatch(/:(?!latest$)[\w.-]+$/);
  },
  buildLimitMs,
);

test(
  "compose.offline.yaml: every image is one that is built here",
  async () => {
    const { services: found } = await composed("compose.offline.yaml");
    const built = [...Object.values(storeImages), ...Object.values(offlineImages), "postern:dev"];
    const named = new Set(Object.values(found).map(({ image }) => image));
    expect([...named].sort()).toEqual(built.sort());
  },
  buildLimitMs,
);

const skaffoldSchema = z.strictObject({
  apiVersion: z.string().regex(/^skaffold\/v4beta\d+$/),
  kind: z.literal("Config"),
  metadata: z.strictObject({ name: z.string() }),
  build: z.strictObject({
    artifacts: z.array(
      z.strictObject({ image: z.string(), docker: z.strictObject({ dockerfile: z.string(), target: z.string() }) }),
    ),
    local: z.strictObject({ push: z.boolean(), useBuildkit: z.boolean() }),
  }),
  deploy: z.strictObject({
    helm: z.strictObject({
      releases: z.array(
        z.strictObject({
          name: z.string(),
          chartPath: z.string(),
          wait: z.boolean().optional(),
          valuesFiles: z.array(z.string()).optional(),
          setValues: z.record(z.string(), z.string()).optional(),
          setValueTemplates: z.record(z.string(), z.string()).optional(),
        }),
      ),
    }),
  }),
  portForward: z.array(
    z.strictObject({
      resourceType: z.literal("service"),
      resourceName: z.string(),
      port: z.int(),
      localPort: z.int(),
    }),
  ),
  profiles: z.array(
    z.strictObject({
      name: z.string(),
      patches: z
        .array(z.strictObject({ op: z.enum(["add", "replace", "remove"]), path: z.string(), value: z.unknown() }))
        .optional(),
    }),
  ),
});

test("skaffold.yaml: its form, what it names is there, and the stores' names are those of the values", async () => {
  const path = join(root, "skaffold.yaml");
  const skaffold = skaffoldSchema.parse(parse(readFileSync(path, "utf8")));
  expect(skaffold.profiles.map(({ name }) => name)).toEqual(["fleet", "single", "own"]);
  const { releases } = skaffold.deploy.helm;
  const named = releases.flatMap(({ chartPath, valuesFiles = [] }) => [chartPath, ...valuesFiles]);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const [artifact] = skaffold.build.artifacts;
  expect(readFileSync(join(root, "Dockerfile"), "utf8")).toContain(` AS ${artifact?.docker.target}\n`);
  const values = parse(readFileSync(join(root, "charts/postern/ci/dev-values.yaml"), "utf8"));
  expect(values.secretKey.existingSecret).toBe(releases[0]?.name);
  expect(values.kafka.brokers).toEqual([`${releases[0]?.name}-kafka:9092`]);
  if (await hasCommand("skaffold", ["version"]))
    await runCommand("skaffold", ["diagnose", "--yaml-only", "--filename", path], limitMs);
});

test("the throw-away Kafka calls itself by a name that is known in KEDA's namespace as well", async () => {
  const pods = podsOf(await render("default-values.yaml", {}, join(root, "charts/postern-dev")));
  const { env = [] } = pods.flatMap(({ spec }) => spec.containers).find(({ name }) => name === "kafka") ?? {};
  const advertised = env.find(({ name }) => name === "KAFKA_ADVERTISED_LISTENERS");
  expect(advertised?.value).toBe("PLAINTEXT://mail-kafka.postern:9092");
});
