import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stringify } from "yaml";
import { groupOf, makeGroup } from "../containers/control-groups.ts";
import { ensureDaemon, lastWords } from "../containers/daemon.ts";
import { clusterFolder, clusterPlace } from "../containers/places.ts";
import { hasCommand } from "../peers/command.ts";
import { felixCommand, podNetwork } from "./calico.ts";
import { files, kubeconfigOf } from "./credentials.ts";
import { dnsAddress, type NodeNetwork, podRange, within } from "./network.ts";

export const pauseImage = "postern.local/pause:1";
const startLimitMs = 60_000;

export const folderOf = ({ name }: NodeNetwork) => join(clusterFolder, name);
export const socketOf = (node: NodeNetwork) => join(folderOf(node), "containerd.sock");

interface Folders {
  kubernetes: string;
  calico: string;
  /** Of the programs that link pods, all in one. */
  plugins: string;
}

/** A container runtime, a kubelet, a service proxy and what enforces policies, in a network of their own. */
export async function startNode(node: NodeNetwork, at: Folders): Promise<void> {
  const folder = folderOf(node);
  await mkdir(join(folder, "cni"), { recursive: true });
  const group = await makeGroup(clusterPlace, join(node.name, "programs"));
  const start = (name: string, ...command: string[]) =>
    ensureDaemon(clusterPlace, { name: `${node.name}-${name}`, command: [...within(node), ...command], group });

  await writeFile(join(folder, "cni", "10-pods.conflist"), JSON.stringify(podNetwork(node, folder)));
  await writeFile(join(folder, "containerd.toml"), runtimeConfiguration(node, at.plugins));
  await start("containerd", "containerd", `--config=${join(folder, "containerd.toml")}`);
  await runtimeAnswers(node);

  await writeFile(join(folder, "resolv.conf"), await nameServers());
  await writeFile(join(folder, "kubelet.yaml"), stringify(kubeletConfiguration(node)));
  await start(
    "kubelet",
    join(at.kubernetes, "kubelet"),
    `--config=${join(folder, "kubelet.yaml")}`,
    `--kubeconfig=${kubeconfigOf(`system:node:${node.name}`)}`,
    `--hostname-override=${node.name}`,
    `--node-ip=${node.address}`,
    `--root-dir=${join(folder, "kubelet")}`,
    `--cert-dir=${join(folder, "certificates")}`,
  );

  const proxyFile = join(folder, "kube-proxy.yaml");
  const proxyText = stringify(proxyConfiguration(node));
  // It ends when its file is written, whatever is written.
  if ((await readFile(proxyFile, "utf8").catch(() => "")) !== proxyText) await writeFile(proxyFile, proxyText);
  await start("kube-proxy", join(at.kubernetes, "kube-proxy"), `--config=${proxyFile}`);
  await start("felix", ...(await felixCommand(node, at.calico)));
}

async function runtimeAnswers(node: NodeNetwork): Promise<void> {
  const answers = () => hasCommand("ctr", [`--address=${socketOf(node)}`, "--connect-timeout=2s", "version"]);
  for (const until = Date.now() + startLimitMs; !(await answers()); await delay(200))
    if (Date.now() > until)
      throw new Error(`containerd does not answer: ${await lastWords(clusterPlace, `${node.name}-containerd`)}`);
}

/** The machine's, without those that only the machine itself reaches. */
async function nameServers(): Promise<string> {
  const lines = (await readFile("/etc/resolv.conf", "utf8")).split("\n");
  return lines.filter((line) => !/^nameserver\s+(127\.|::1)/.test(line)).join("\n");
}

function runtimeConfiguration(node: NodeNetwork, plugins: string): string {
  const folder = folderOf(node);
  return `version = 2
root = "${join(folder, "containerd")}"
state = "${join(folder, "containers")}"
[grpc]
  address = "${socketOf(node)}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  netns_mounts_under_state_dir = true
  # The cluster is a guest: how the machine spares a process is the machine's.
  restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "${plugins}"
  conf_dir = "${join(folder, "cni")}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(folder, "opt")}"
`;
}

function kubeletConfiguration(node: NodeNetwork): object {
  const folder = folderOf(node);
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: node.address,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: files.callerCertificate },
    },
    authorization: { mode: "Webhook" },
    cgroupDriver: "cgroupfs",
    cgroupRoot: groupOf(clusterPlace, node.name),
    containerRuntimeEndpoint: `unix://${socketOf(node)}`,
    clusterDNS: [dnsAddress],
    clusterDomain: "cluster.local",
    resolvConf: join(folder, "resolv.conf"),
    podLogsDir: join(folder, "logs"),
    volumePluginDir: join(folder, "volume-plugins"),
    failSwapOn: false,
    // The disk is the machine's: what fills it is no reason to end a pod, nor to drop an image that no registry has.
    evictionHard: {
      "memory.available": "100Mi",
      "nodefs.available": "0%",
      "imagefs.available": "0%",
      "nodefs.inodesFree": "0%",
    },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
  };
}

function proxyConfiguration(node: NodeNetwork): object {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    hostnameOverride: node.name,
    clientConnection: { kubeconfig: kubeconfigOf("system:kube-proxy") },
    mode: "iptables",
    clusterCIDR: podRange,
    // Limits of the machine, which a network of it may not set.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
  };
}
