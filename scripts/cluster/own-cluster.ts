import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../../services/platform/files.ts";
import { hasCommand, runCommand } from "../peers/command.ts";
import { provideDebianPackages } from "../peers/debian-package.ts";
import { clusterDns, dnsImage } from "./cluster-dns.ts";
import { endGroups } from "./control-groups.ts";
import { raiseControlPlane } from "./control-plane.ts";
import { ensureCredentials } from "./credentials.ts";
import { daemonNames, isRunning, stopDaemon } from "./daemon.ts";
import { Docker } from "./docker.ts";
import { clusterFolder, kubeconfig } from "./folders.ts";
import { buildImages } from "./images.ts";
import { Kubectl } from "./kubectl.ts";
import { endNetwork, nodes, raiseNetwork } from "./network.ts";
import { pauseImage, raiseNode } from "./node.ts";
import { distribute, loadImage } from "./node-images.ts";
import { pauseProgram, programImage } from "./program-image.ts";
import { programFolder } from "./programs.ts";

const limitMs = 30_000;
type Say = (line: string) => void;

/** A Kubernetes of this machine's own: what stands already is left as it is. */
export async function raise(say: Say): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error("a cluster of its own needs root: for networks, mounts and control groups");
  await provideDebianPackages(["containerd", "runc", "iptables", "conntrack"], hasRuntime);
  const kubernetes = await programFolder("kubernetes", say);
  const etcd = await programFolder("etcd", say);
  const plugins = await programFolder("plugins", say);
  const coredns = await programFolder("coredns", say);
  const images = [
    await programImage(pauseImage, await pauseProgram()),
    await programImage(dnsImage, join(coredns, "coredns")),
  ];
  await ensureCredentials();
  await raiseNetwork();
  const kubectl = new Kubectl(join(kubernetes, "kubectl"));
  await raiseControlPlane({ kubernetes, etcd }, kubectl);
  say("the API server answers");
  for (const node of nodes) {
    await raiseNode(node, { kubernetes, plugins });
    for (const image of images) await loadImage(node, image);
  }
  await kubectl.apply(clusterDns);
  await kubectl.appear(
    "node",
    nodes.map(({ name }) => name),
  );
  await kubectl.run("wait", "--for=condition=Ready", "--timeout=3m", "node", "--all");
  await kubectl.run("--namespace=kube-system", "rollout", "status", "deployment/coredns", "--timeout=3m");
}

/** Builds the image of this tree and those of its stores, and gives them to the nodes. */
export async function load(say: Say): Promise<void> {
  const docker = await Docker.start();
  try {
    await distribute(docker, await buildImages(docker, say));
  } finally {
    await docker.stop();
  }
}

async function hasRuntime(): Promise<boolean> {
  const found = await Promise.all(
    [["containerd"], ["runc"], ["iptables"], ["conntrack"]].map(([name = ""]) => hasCommand(name, ["--version"])),
  );
  return found.every(Boolean);
}

export const stands = () => exists(kubeconfig);

/** What stands, in a few lines. */
export async function status(say: Say): Promise<void> {
  if (!(await stands())) return say("no cluster: npm run cluster -- up");
  const names = await daemonNames();
  const running = await Promise.all(names.map(isRunning));
  const ended = names.filter((_, index) => !running[index]);
  say(
    `${names.length - ended.length} of ${names.length} programs run${ended.length > 0 ? `; ended: ${ended.join(", ")}` : ""}`,
  );
  const kubectl = new Kubectl(join(await programFolder("kubernetes", say), "kubectl"));
  say((await kubectl.run("get", "nodes")).trim());
  say((await kubectl.run("get", "pods", "--all-namespaces")).trim());
  say(`export KUBECONFIG=${kubeconfig}`);
}

/** Takes away all of it but what it was built from. */
export async function end(): Promise<void> {
  for (const name of await daemonNames()) await stopDaemon(name);
  await endGroups();
  await unmountAll();
  await endNetwork();
  await rm(clusterFolder, { recursive: true, force: true });
}

/** What containers and pods had mounted, the last first. */
async function unmountAll(): Promise<void> {
  const lines = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
  const points = lines.map((line) => line.split(" ")[4] ?? "").filter((point) => point.startsWith(`${clusterFolder}/`));
  for (const point of points.reverse()) await runCommand("umount", ["--lazy", point], limitMs);
}
