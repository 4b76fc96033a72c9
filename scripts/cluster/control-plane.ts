import { join } from "node:path";
import { makeGroup } from "../containers/control-groups.ts";
import { ensureDaemon } from "../containers/daemon.ts";
import { clusterFolder, clusterPlace } from "../containers/places.ts";
import { apiPort, callerName, files, kubeconfigOf } from "./credentials.ts";
import type { Kubectl } from "./kubectl.ts";
import { machineAddress, podRange, serviceRange } from "./network.ts";

/** Not etcd's usual ports: the machine may have one of its own. */
const etcdUrl = "http://127.0.0.1:23790";
const etcdPeerUrl = "http://127.0.0.1:23791";

/** etcd, the API server, the controllers and the scheduler, as processes of the machine. */
export async function startControlPlane(at: { kubernetes: string; etcd: string }, kubectl: Kubectl): Promise<void> {
  const group = await makeGroup(clusterPlace, "control-plane");
  const start = (name: string, command: readonly string[]) => ensureDaemon(clusterPlace, { name, command, group });
  await start("etcd", etcdCommand(join(at.etcd, "etcd")));
  await start("kube-apiserver", apiServerCommand(join(at.kubernetes, "kube-apiserver")));
  await kubectl.answers();
  await kubectl.apply([callerMayReachKubelets]);
  await start("kube-controller-manager", [
    join(at.kubernetes, "kube-controller-manager"),
    ...callsAs("system:kube-controller-manager"),
    `--root-ca-file=${files.authority}`,
    `--service-account-private-key-file=${files.serviceAccounts}`,
    "--use-service-account-credentials",
    `--cluster-cidr=${podRange}`,
  ]);
  await start("kube-scheduler", [join(at.kubernetes, "kube-scheduler"), ...callsAs("system:kube-scheduler")]);
}

/** There is one of each, so nobody has to be elected. */
function callsAs(user: string): string[] {
  const file = kubeconfigOf(user);
  return [
    `--kubeconfig=${file}`,
    `--authentication-kubeconfig=${file}`,
    `--authorization-kubeconfig=${file}`,
    "--bind-address=127.0.0.1",
    "--leader-elect=false",
  ];
}

function etcdCommand(etcd: string): string[] {
  return [
    etcd,
    `--data-dir=${join(clusterFolder, "etcd")}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${etcdPeerUrl}`,
    `--initial-advertise-peer-urls=${etcdPeerUrl}`,
    `--initial-cluster=default=${etcdPeerUrl}`,
    // What is in it is thrown away, and the disk has others to serve.
    "--unsafe-no-fsync",
    "--log-level=warn",
  ];
}

function apiServerCommand(apiServer: string): string[] {
  return [
    apiServer,
    `--etcd-servers=${etcdUrl}`,
    `--bind-address=${machineAddress}`,
    `--advertise-address=${machineAddress}`,
    `--secure-port=${apiPort}`,
    `--cert-dir=${files.serving}`,
    `--token-auth-file=${files.tokens}`,
    "--authorization-mode=Node,RBAC",
    "--enable-admission-plugins=NodeRestriction",
    `--service-cluster-ip-range=${serviceRange}`,
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${files.serviceAccounts}`,
    `--service-account-signing-key-file=${files.serviceAccounts}`,
    `--kubelet-client-certificate=${files.callerCertificate}`,
    `--kubelet-client-key=${files.callerKey}`,
    "--kubelet-preferred-address-types=InternalIP",
    // Servers of extensions know the API server by it. They are called at the addresses of their pods.
    `--proxy-client-cert-file=${files.callerCertificate}`,
    `--proxy-client-key-file=${files.callerKey}`,
    `--requestheader-client-ca-file=${files.callerCertificate}`,
    `--requestheader-allowed-names=${callerName}`,
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    "--enable-aggregator-routing",
  ];
}

const callerMayReachKubelets = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: callerName },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:kubelet-api-admin" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: callerName }],
};
