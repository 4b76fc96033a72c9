import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { runCommand } from "../peers/command.ts";
import { goCommand } from "../peers/go-toolchain.ts";
import { onceOnly } from "../peers/once-only.ts";
import { programs } from "./folders.ts";

const fetchLimitMs = 10 * 60_000;
/** The API server is some 2,500 packages. */
const buildLimitMs = 90 * 60_000;

/** Programs of one Go module, each a package below it. */
interface Source {
  module: string;
  version: string;
  packages: readonly string[];
  linkFlags?: string;
  /** The version that modules have which it takes from its own repository (`=> ./staging/…`). */
  siblings?: string;
}

const kubernetesVersion = "v1.34.4";
const ofVersion = "-X k8s.io/component-base/version.git";

const sources = {
  kubernetes: {
    module: "k8s.io/kubernetes",
    version: kubernetesVersion,
    packages: ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "kubectl"].map(
      (name) => `cmd/${name}`,
    ),
    linkFlags: `${ofVersion}Version=${kubernetesVersion} ${ofVersion}Major=1 ${ofVersion}Minor=34`,
    siblings: kubernetesVersion.replace("v1.", "v0."),
  },
  etcd: { module: "go.etcd.io/etcd/server/v3", version: "v3.6.6", packages: [""] },
  coredns: { module: "github.com/coredns/coredns", version: "v1.14.7", packages: [""] },
  plugins: {
    module: "github.com/containernetworking/plugins",
    version: "v1.9.1",
    packages: ["main/bridge", "main/loopback", "ipam/host-local", "meta/portmap"].map((path) => `plugins/${path}`),
  },
} satisfies Record<string, Source>;

export type Program = keyof typeof sources;

/**
 * The folder with the programs of a module, built from it once per machine and version: minutes for most, and most of an hour for
 * Kubernetes on two cores.
 */
export async function programFolder(name: Program, say: (line: string) => void): Promise<string> {
  const source: Source = sources[name];
  const folder = programs(`${name}-${source.version}`);
  for (const path of source.packages) {
    const file = join(folder, basename(path) || name);
    await onceOnly(file, async () => {
      say(`building ${basename(file)} ${source.version}`);
      await build(source, path, file);
    });
  }
  return folder;
}

/** Of a module of its own that takes what it needs: `go install` refuses modules that replace others. */
async function build(source: Source, path: string, file: string): Promise<void> {
  const go = await goCommand();
  const folder = await mkdtemp(join(tmpdir(), "postern-build-"));
  const run = (limitMs: number, ...words: string[]) =>
    runCommand(
      "env",
      [`--chdir=${folder}`, "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=mod", "nice", go, ...words],
      limitMs,
    );
  try {
    await writeFile(join(folder, "go.mod"), "module programs\n\ngo 1.24.0\n");
    await run(
      fetchLimitMs,
      "mod",
      "edit",
      `-require=${source.module}@${source.version}`,
      ...(await replacements(run, source)),
    );
    if (!source.siblings) await run(fetchLimitMs, "get", `${source.module}@${source.version}`);
    await mkdir(dirname(file), { recursive: true });
    const flags = ["-p=1", "-trimpath", `-ldflags=-s -w ${source.linkFlags ?? ""}`, `-o=${file}.new`];
    await run(buildLimitMs, "build", ...flags, join(source.module, path));
    await rename(`${file}.new`, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a module has beside itself in its repository was published by itself. */
async function replacements(
  run: (limitMs: number, ...words: string[]) => Promise<string>,
  { module, version, siblings }: Source,
): Promise<string[]> {
  if (!siblings) return [];
  const downloaded = await run(fetchLimitMs, "mod", "download", "-json", `${module}@${version}`);
  // Beside the JSON stands what it fetched.
  const [, file = ""] = /"GoMod": "(.*)"/.exec(downloaded) ?? [];
  const text = await readFile(file, "utf8");
  const names = [...text.matchAll(/^\s*(?:replace )?(\S+) => \.\/\S+$/gm)].map(([, name = ""]) => name);
  return names.map((name) => `-replace=${name}=${name}@${siblings}`);
}
