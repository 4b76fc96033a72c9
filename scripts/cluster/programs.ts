import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { cacheFolder } from "../peers/cache-folder.ts";
import { runCommand } from "../peers/command.ts";
import { goCommand } from "../peers/go-toolchain.ts";
import { onceOnly } from "../peers/once-only.ts";

const fetchLimitMs = 10 * 60_000;
/** The API server is some 2,500 packages, KEDA some 3,700. */
const buildLimitMs = 90 * 60_000;

/** Programs of one Go module, each a package below it. */
interface Source {
  module: string;
  version: string;
  packages: readonly string[];
  /** A file or a folder of the module that is kept beside its programs. */
  manifests?: string;
  linkFlags?: string;
  compilerFlags?: string;
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
    packages: ["main/loopback", "ipam/host-local", "meta/portmap"].map((path) => `plugins/${path}`),
  },
  calico: {
    module: "github.com/projectcalico/calico",
    // v3.28.5, as Go numbers it: the module's own tags are those of a part that it took in.
    version: "v1.11.0-cni-plugin.0.20250813170300-a0db560f0520",
    packages: ["felix/cmd/calico-felix", "cni-plugin/cmd/calico"],
    manifests: "manifests/calico-policy-only.yaml",
    siblings: "v0.0.0-20240708202104-e3f70b269c2c",
  },
  keda: {
    module: "github.com/kedacore/keda/v2",
    version: "v2.21.0",
    packages: ["cmd/operator", "cmd/adapter"],
    manifests: "config",
    // Not optimised: it has little to do, and takes a third less to compile.
    compilerFlags: "-N -l",
  },
} satisfies Record<string, Source>;

type Program = keyof typeof sources;

/**
 * The folder with the programs of a module, built from it once per machine and version: minutes for most, and most of an hour for
 * Kubernetes on two cores.
 */
export async function programFolder(name: Program, say: (line: string) => void): Promise<string> {
  const source: Source = sources[name];
  const folder = cacheFolder(`${name}-${source.version}`);
  for (const path of source.packages) {
    const file = join(folder, basename(path) || name);
    const make = async () => {
      say(`building ${basename(file)} ${source.version}`);
      await build(source, path, file);
    };
    await onceOnly(file, make, fetchLimitMs + buildLimitMs);
  }
  const { manifests } = source;
  if (manifests) await onceOnly(join(folder, basename(manifests)), () => copy(source, manifests, folder));
  return folder;
}

type Run = (limitMs: number, ...words: string[]) => Promise<string>;

/** Does something with go in a folder that is a module of its own: `go install` refuses modules that replace others. */
async function withGo(act: (run: Run) => Promise<void>): Promise<void> {
  const go = await goCommand();
  const folder = await mkdtemp(join(tmpdir(), "postern-build-"));
  const environment = [`--chdir=${folder}`, "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=mod"];
  try {
    await writeFile(join(folder, "go.mod"), "module programs\n\ngo 1.24.0\n");
    await act((limitMs, ...words) => runCommand("env", [...environment, "nice", go, ...words], limitMs));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function build(source: Source, path: string, file: string): Promise<void> {
  return withGo(async (run) => {
    const needed = `${source.module}@${source.version}`;
    await run(fetchLimitMs, "mod", "edit", `-require=${needed}`, ...(await replacements(run, source)));
    if (!source.siblings) await run(fetchLimitMs, "get", needed);
    await mkdir(dirname(file), { recursive: true });
    const { linkFlags = "", compilerFlags } = source;
    const flags = ["-p=1", "-trimpath", `-ldflags=-s -w ${linkFlags}`, `-o=${file}.new`];
    if (compilerFlags) flags.push(`-gcflags=all=${compilerFlags}`);
    await run(buildLimitMs, "build", ...flags, join(source.module, path));
    await rename(`${file}.new`, file);
  });
}

function copy(source: Source, manifests: string, folder: string): Promise<void> {
  return withGo(async (run) => {
    const aside = join(folder, "manifests.new");
    await rm(aside, { recursive: true, force: true });
    await cp(join(await fetched(run, source, "Dir"), manifests), aside, { recursive: true });
    // Go keeps its modules read only.
    await runCommand("chmod", ["-R", "u+w", aside], fetchLimitMs);
    await rename(aside, join(folder, basename(manifests)));
  });
}

/** What a module replaces counts only where it is built by itself. What it has beside itself was published by itself. */
async function replacements(run: Run, source: Source): Promise<string[]> {
  const text = await readFile(await fetched(run, source, "GoMod"), "utf8");
  const lines = text.matchAll(/^\s*(?:replace )?(\S+)(?: (v\S+))? => (\S+)(?: (v\S+))?$/gm);
  return [...lines].flatMap(([, name = "", of, by = "", version]) => {
    const left = of ? `${name}@${of}` : name;
    if (version) return [`-replace=${left}=${by}@${version}`];
    return source.siblings && by.startsWith("./") ? [`-replace=${left}=${name}@${source.siblings}`] : [];
  });
}

/** Where a module lies once it is fetched. */
async function fetched(run: Run, { module, version }: Source, what: "Dir" | "GoMod"): Promise<string> {
  const told = await run(fetchLimitMs, "mod", "download", "-json", `${module}@${version}`);
  // Beside the JSON stands what it fetched.
  return new RegExp(`"${what}": "(.*)"`).exec(told)?.[1] ?? "";
}
