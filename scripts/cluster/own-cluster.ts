import { rm } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../../services/platform/files.ts";
import { daemonNames, isRunning } from "../containers/daemon.ts";
import { endPrograms } from "../containers/end-programs.ts";
import { buildImages } from "../containers/images.ts";
import { clusterPlace, kubeconfig } from "../containers/places.ts";
import { hasCommand } from "../peers/command.ts";
import { provideDebianPackages } from "../peers/debian-package.ts";
import { installCalico, linkPrograms } from "./calico.ts";
import { clusterDns, dnsImage } from "./cluster-dns.ts";
import { startControlPlane } from "./control-plane.ts";
import { ensureCredentials } from "./credentials.ts";
import { Kubectl } from "./kubectl.ts";
import { createNetwork, deleteNetwork, nodes } from "./network.ts";
import { pauseImage, startNode } from "./node.ts";
import { loadImage, provideImages } from "./node-images.ts";
import { pauseProgram, programImage } from "./program-image.ts";
import { programFolder } from "./programs.ts";

const nodePackages = ["containerd", "runc", "iptables", "ipset", "conntrack"];
type Say = (line: string) => void;

/** A Kubernetes of this machine's own: what is there already is left as it is. */
export async function createCluster(say: Say): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error("a cluster of its own needs root: for networks, mounts and control groups");
  await provideDebianPackages(nodePackages, hasRuntime);
  const kubernetes = await programFolder("kubernetes", say);
  const etcd = await programFolder("etcd", say);
  const calico = await programFolder("calico", say);
  const plugins = await linkPrograms({ calico, plugins: await programFolder("plugins", say) });
  const coredns = await programFolder("coredns", say);
  const images = [
    await programImage(pauseImage, await pauseProgram()),
    await programImage(dnsImage, join(coredns, "coredns")),
  ];
  await ensureCredentials();
  await createNetwork();
  const kubectl = new Kubectl(join(kubernetes, "kubectl"));
  await startControlPlane({ kubernetes, etcd }, kubectl);
  say("the API server answers");
  await installCalico(calico, kubectl);
  for (const node of nodes) {
    await startNode(node, { kubernetes, calico, plugins });
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
export async function loadImages(say: Say): Promise<void> {
  await provideImages((docker) => buildImages(docker, say));
}

async function hasRuntime(): Promise<boolean> {
  const found = await Promise.all(nodePackages.map((name) => hasCommand(name, ["--version"])));
  return found.every(Boolean);
}

export const hasCluster = () => exists(kubeconfig);

/** The state of the cluster, in a few lines. */
export async function ownStatus(say: Say): Promise<void> {
  if (!(await hasCluster())) return say("no cluster: npm run cluster -- up");
  const names = await daemonNames(clusterPlace);
  const running = await Promise.all(names.map((name) => isRunning(clusterPlace, name)));
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
export async function deleteCluster(): Promise<void> {
  await endPrograms(clusterPlace);
  await deleteNetwork();
  await rm(clusterPlace.folder, { recursive: true, force: true });
}
