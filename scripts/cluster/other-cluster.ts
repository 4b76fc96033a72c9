import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../peers/cache-folder.ts";
import { hasCommand, runCommand } from "../peers/command.ts";
import type { Choice, Use } from "./choice.ts";

const root = join(import.meta.dirname, "../..");
const folder = cacheFolder("other-cluster");
const kubeconfig = join(folder, "kubeconfig");
const note = join(folder, "cluster.json");
const limitMs = 30 * 60_000;

type Say = (line: string) => void;

interface OtherChoice extends Choice {
  use: Exclude<Use, "own">;
}

/** A cluster that `up` took instead of one of its own. One per machine: another tree's `status` and `down` know it too. */
interface OtherCluster extends OtherChoice {
  /** Whether `up` made it: what it did not make it does not delete. */
  isMade: boolean;
  /** What its nodes have or can pull; undefined where `up` failed before that. */
  image?: string;
  /** A copy of the one that leads to it, whose owner may lead it elsewhere. */
  kubeconfig: string;
}

/** The one that was taken; undefined if there is none. */
export async function otherCluster(): Promise<OtherCluster | undefined> {
  const text = await readFile(note, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as OtherCluster);
}

/** Takes a cluster, makes it where kind or k3d has none of its name, and gives it the image of this tree; what is done already stays. */
export async function adoptCluster({ use, name }: OtherChoice, say: Say): Promise<void> {
  const image = await imageFor({ use, name });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = await otherCluster();
  const isMade = use !== "kubeconfig" && (await ensureMade(use, name, say));
  if (use === "kubeconfig" && !before) await copyKubeconfig(name);
  const cluster = { use, name, isMade: isMade || before?.isMade === true, kubeconfig };
  await writeFile(note, JSON.stringify(cluster));
  await image.provide(say);
  await writeFile(note, JSON.stringify({ ...cluster, image: image.tag } satisfies OtherCluster));
}

/** What there is of it, in a few lines. */
export async function otherStatus(cluster: OtherCluster, say: Say): Promise<void> {
  say(
    `${cluster.use} ${cluster.name}, ${cluster.isMade ? "made by `up`" : "not made here: `down` leaves it as it is"}`,
  );
  say(`image ${cluster.image ?? "not yet there: npm run cluster -- up"}`);
  say((await runCommand("kubectl", [`--kubeconfig=${cluster.kubeconfig}`, "get", "nodes"], limitMs)).trim());
  say(`export KUBECONFIG=${cluster.kubeconfig}`);
}

/** Deletes the cluster if it was made by `adoptCluster`, and forgets it. */
export async function releaseCluster({ use, name, isMade }: OtherCluster, say: Say): Promise<void> {
  if (isMade && use !== "kubeconfig") await runCommand(use, commands[use].delete(name), limitMs);
  else say(`${use} ${name} was not made here, and is left as it is`);
  await rm(folder, { recursive: true });
}

type Program = "kind" | "k3d";

/** What kind and k3d are told. They leave the kubeconfig of whoever calls as it is. */
const commands = {
  kind: {
    create: (name: string) => ["create", "cluster", `--name=${name}`, `--kubeconfig=${kubeconfig}`, "--wait=5m"],
    describe: (name: string) => ["export", "kubeconfig", `--name=${name}`, `--kubeconfig=${kubeconfig}`],
    load: (name: string, image: string) => ["load", "docker-image", image, `--name=${name}`],
    delete: (name: string) => ["delete", "cluster", `--name=${name}`, `--kubeconfig=${kubeconfig}`],
  },
  k3d: {
    create: (name: string) => ["cluster", "create", name, "--kubeconfig-update-default=false", "--timeout=5m"],
    describe: (name: string) => ["kubeconfig", "merge", name, `--output=${kubeconfig}`],
    load: (name: string, image: string) => ["image", "import", image, `--cluster=${name}`],
    delete: (name: string) => ["cluster", "delete", name],
  },
};

/** @returns whether it was made now */
async function ensureMade(program: Program, name: string, say: Say): Promise<boolean> {
  const describe = () => runCommand(program, commands[program].describe(name), limitMs);
  // It fails where there is no cluster of that name.
  const isThere = await describe().then(
    () => true,
    () => false,
  );
  if (isThere) return false;
  say(`making the cluster ${name} by ${program}`);
  await runCommand(program, commands[program].create(name), limitMs);
  await describe();
  return true;
}

async function copyKubeconfig(context: string): Promise<void> {
  const view = 'umask 077 && exec kubectl config view --raw --flatten --minify --context="$1" > "$2"';
  await runCommand("sh", ["-c", view, "sh", context, `${kubeconfig}.new`], limitMs);
  await rename(`${kubeconfig}.new`, kubeconfig);
}

interface Image {
  tag: string;
  provide(say: Say): Promise<void>;
}

/** How the nodes come to an image. @throws Error where nothing says how */
async function imageFor(choice: OtherChoice): Promise<Image> {
  const { IMAGE: given, REGISTRY: registry } = process.env;
  if (given) return { tag: given, provide: async () => undefined };
  const loader = await loaderOf(choice);
  if (!loader && !registry)
    throw new Error(
      `${choice.name}: how do its nodes come to this tree's image? IMAGE=REPOSITORY:TAG names one that they can pull, REGISTRY=HOST/PATH where to push it`,
    );
  const tag = loader ? "postern:dev" : `${registry}/postern:dev`;
  const provide = async (say: Say) => {
    say(`building ${tag} by the Dockerfile`);
    await runCommand("docker", ["build", `--tag=${tag}`, root], limitMs);
    say(loader ? `loading ${tag} by ${loader.program}` : `pushing ${tag}`);
    if (loader) await runCommand(loader.program, commands[loader.program].load(loader.cluster, tag), limitMs);
    else await runCommand("docker", ["push", tag], limitMs);
  };
  return { tag, provide };
}

/** The program that loads images into a cluster, one of its own or that a kubeconfig leads to, and its name for it. */
async function loaderOf({ use, name }: OtherChoice): Promise<{ program: Program; cluster: string } | undefined> {
  const [, program, cluster = ""] = /^(kind|k3d)-(.+)$/.exec(use === "kubeconfig" ? name : `${use}-${name}`) ?? [];
  if ((program !== "kind" && program !== "k3d") || !(await hasCommand(program, ["version"]))) return undefined;
  return { program, cluster };
}
