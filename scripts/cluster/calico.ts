import { mkdir, readFile, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { exists } from "../../services/platform/files.ts";
import { clusterFolder } from "../containers/places.ts";
import { runCommand } from "../peers/command.ts";
import { calicoUser, kubeconfigOf } from "./credentials.ts";
import type { Kubectl } from "./kubectl.ts";
import type { NodeNetwork } from "./network.ts";

const limitMs = 30_000;
const rbac = "rbac.authorization.k8s.io";
const roles = ["calico-node", "calico-cni-plugin"];

interface Manifest {
  kind: string;
  metadata: { name: string };
}

/** What Calico keeps in the API server, and the rights of its programs. */
export async function installCalico(folder: string, kubectl: Kubectl): Promise<void> {
  const text = await readFile(join(folder, "calico-policy-only.yaml"), "utf8");
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  const definitions = manifests.filter(({ kind }) => kind === "CustomResourceDefinition");
  const rights = manifests.filter(({ kind, metadata }) => kind === "ClusterRole" && roles.includes(metadata.name));
  await kubectl.apply([...definitions, ...rights, ...roles.map(binding)]);
  const names = definitions.map(({ metadata }) => `crd/${metadata.name}`);
  await kubectl.run("wait", "--for=condition=Established", "--timeout=1m", ...names);
  // Programs of nodes wait for it.
  await kubectl.apply([
    {
      apiVersion: "crd.projectcalico.org/v1",
      kind: "ClusterInformation",
      metadata: { name: "default" },
      spec: { datastoreReady: true },
    },
  ]);
}

const binding = (name: string) => ({
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRoleBinding",
  metadata: { name },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
  subjects: [{ apiGroup: rbac, kind: "User", name: calicoUser }],
});

/** All programs that link pods in one folder: the container runtime looks in no other. */
export async function linkPrograms(at: { plugins: string; calico: string }): Promise<string> {
  const folder = join(clusterFolder, "plugins");
  await mkdir(folder, { recursive: true });
  const programs = ["loopback", "host-local", "portmap"].map((name) => join(at.plugins, name));
  for (const program of [...programs, join(at.calico, "calico")]) {
    const link = join(folder, basename(program));
    if (!(await exists(link))) await symlink(program, link);
  }
  return folder;
}

/** How pods of a node are linked: each by a route of its own, so that what leaves and reaches it passes the node's rules. */
export function podNetwork(node: NodeNetwork, folder: string): object {
  const ipam = {
    type: "host-local",
    dataDir: join(folder, "addresses"),
    ranges: [[{ subnet: node.podRange }]],
  };
  const calico = {
    type: "calico",
    datastore_type: "kubernetes",
    nodename: node.name,
    nodename_file_optional: true,
    log_file_path: join(folder, "calico.log"),
    mtu: 1500,
    ipam,
    policy: { type: "k8s" },
    kubernetes: { kubeconfig: kubeconfigOf(calicoUser) },
  };
  return {
    cniVersion: "1.0.0",
    name: "pods",
    plugins: [calico, { type: "portmap", capabilities: { portMappings: true } }],
  };
}

/** Felix makes a node's rules of the network policies, by iptables beside those of kube-proxy. */
export async function felixCommand(node: NodeNetwork, folder: string): Promise<string[]> {
  const version = await runCommand("iptables", ["--version"], limitMs);
  const settings = {
    DATASTORETYPE: "kubernetes",
    FELIXHOSTNAME: node.name,
    IPV6SUPPORT: "false",
    // As kube-proxy has it. Felix looks for that too, but may be there first.
    IPTABLESBACKEND: version.includes("nf_tables") ? "nft" : "legacy",
    XDPENABLED: "false",
    // Pods may use what a node itself serves, as policies of Kubernetes say nothing of it.
    DEFAULTENDPOINTTOHOSTACTION: "ACCEPT",
    LOGFILEPATH: "none",
    LOGSEVERITYSYS: "none",
    USAGEREPORTINGENABLED: "false",
  };
  const environment = Object.entries(settings).map(([name, value]) => `FELIX_${name}=${value}`);
  return ["env", `KUBECONFIG=${kubeconfigOf(calicoUser)}`, ...environment, join(folder, "calico-felix")];
}
