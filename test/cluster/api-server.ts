import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachedProcess } from "../../scripts/peers/attached-process.ts";
import { runCommand } from "../../scripts/peers/command.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";

const startLimitMs = 120_000;
const shortMs = 30_000;

interface ApiServer {
  /** The file that kubectl and helm are told of it by. */
  kubeconfig: string;
  stop(): Promise<void>;
}

/** A Kubernetes API server over an etcd of its own, without controllers and nodes: what it takes, it only keeps. */
export async function startApiServer(binaries: { etcd: string; apiServer: string }): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), "postern-cluster-"));
  const started: AttachedProcess[] = [];
  const stop = async () => {
    for (const process of started.reverse()) await process.stop();
    await rm(folder, { recursive: true });
  };
  try {
    const [clients = 0, peers = 0, port = 0] = await freePorts(3);
    const etcd = await AttachedProcess.start(
      "etcd",
      join(folder, "etcd.log"),
      etcdCommand(binaries.etcd, folder, clients, peers),
    );
    started.push(etcd);
    const credentials = await writeCredentials(folder, port);
    const command = apiServerCommand(binaries.apiServer, { folder, etcdPort: clients, port });
    const server = await AttachedProcess.start("kube-apiserver", join(folder, "kube-apiserver.log"), command);
    started.push(server);
    const isReady = () =>
      runCommand("kubectl", [`--kubeconfig=${credentials}`, "get", "--raw", "/readyz"], shortMs).then(
        () => true,
        () => false,
      );
    await server.ready(isReady, startLimitMs);
    return { kubeconfig: credentials, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function etcdCommand(etcd: string, folder: string, clients: number, peers: number): string[] {
  const peerUrl = `http://127.0.0.1:${peers}`;
  return [
    etcd,
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=http://127.0.0.1:${clients}`,
    `--advertise-client-urls=http://127.0.0.1:${clients}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    "--unsafe-no-fsync",
  ];
}

function apiServerCommand(apiServer: string, of: { folder: string; etcdPort: number; port: number }): string[] {
  return [
    apiServer,
    `--etcd-servers=http://127.0.0.1:${of.etcdPort}`,
    `--secure-port=${of.port}`,
    "--bind-address=127.0.0.1",
    `--cert-dir=${join(of.folder, "certificates")}`,
    `--token-auth-file=${join(of.folder, "tokens.csv")}`,
    "--authorization-mode=RBAC",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--service-account-issuer=https://postern.test",
    `--service-account-key-file=${join(of.folder, "service-accounts.pem")}`,
    `--service-account-signing-key-file=${join(of.folder, "service-accounts.pem")}`,
  ];
}

/** Keys, an administrator's token, and the kubeconfig with it. */
async function writeCredentials(folder: string, port: number): Promise<string> {
  const token = randomBytes(16).toString("hex");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await writeFile(join(folder, "service-accounts.pem"), privateKey.export({ type: "sec1", format: "pem" }));
  await writeFile(join(folder, "tokens.csv"), `${token},admin,admin,"system:masters"\n`);
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = { server: `https://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "bare", cluster }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "bare", context: { cluster: "bare", user: "admin" } }],
    "current-context": "bare",
  };
  await writeFile(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  return kubeconfig;
}
