import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Build, buildLimitMs, cachedProgram, inItself } from "../containers/cached-program.ts";
import { runCommand } from "../peers/command.ts";
import { goProgram } from "../peers/go-program.ts";

const collectorVersion = "v0.165.0";

type Say = (line: string) => void;

/** Docker Compose, which reads compose.yaml: Debian's is too old for it. */
export function dockerCompose(say: Say): Promise<string> {
  const [module, version] = ["github.com/docker/compose/v2", "v2.40.3"];
  return cachedProgram({ name: "docker-compose", version, build: inItself(module, version, "./cmd") }, say);
}

/** Jaeger without its pages, which its module has not: its API answers. */
export function jaeger(say: Say): Promise<string> {
  const [module, version] = ["github.com/jaegertracing/jaeger", "v1.76.0"];
  return cachedProgram({ name: "jaeger", version, build: inItself(module, version, "./cmd/jaeger") }, say);
}

/** OpenTelemetry's collector with what compose.yaml's configuration of it names, by the collector's own builder. */
export function collector(say: Say): Promise<string> {
  const part = (path: string) => ({ gomod: `go.opentelemetry.io/collector/${path} ${collectorVersion}` });
  const build: Build = async (go, folder) => {
    const builder = await goProgram({
      module: "go.opentelemetry.io/collector/cmd/builder",
      version: collectorVersion,
      name: "collector-builder",
      needed: "the collector is built by Go (Debian: apt-get install golang-go)",
    });
    const manifest = {
      dist: { name: "collector", module: "collector", output_path: folder, go },
      receivers: [part("receiver/otlpreceiver")],
      exporters: [part("exporter/otlpexporter")],
    };
    const file = join(folder, "manifest.yaml");
    await writeFile(file, stringify(manifest));
    await runCommand("env", ["CGO_ENABLED=0", "nice", builder, `--config=${file}`], buildLimitMs);
    return join(folder, "collector");
  };
  return cachedProgram({ name: "collector", version: collectorVersion, build }, say);
}
