import { generateKeyPairSync, randomBytes } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { selfSigned } from "../../services/ingress/tls/self-signed.ts";
import { exists } from "../../services/platform/files.ts";
import { clusterFolder, kubeconfig } from "../containers/places.ts";
import { machineAddress, nodes } from "./network.ts";

export const apiPort = 6443;
const folder = join(clusterFolder, "credentials");

/** Files that programs are told of. */
export const files = {
  serviceAccounts: join(folder, "service-accounts.pem"),
  tokens: join(folder, "tokens.csv"),
  /** What the API server shows where it calls others, kubelets and servers of its extensions: its own authority. */
  callerCertificate: join(folder, "caller.crt"),
  callerKey: join(folder, "caller.key"),
  /** The API server writes its certificate here, and the authority's behind it. */
  serving: join(folder, "serving"),
  authority: join(folder, "serving", "apiserver.crt"),
} as const;

export const callerName = "postern-api-server";
export const calicoUser = "calico";

/** Users of the cluster itself, by the names that Kubernetes gives rights to, and their groups. */
const users: Record<string, string> = {
  admin: "system:masters",
  "system:kube-controller-manager": "",
  "system:kube-scheduler": "",
  "system:kube-proxy": "",
  [calicoUser]: "",
  ...Object.fromEntries(nodes.map(({ name }) => [`system:node:${name}`, "system:nodes"])),
};

export const kubeconfigOf = (user: string) =>
  user === "admin" ? kubeconfig : join(folder, `${user.replaceAll(":", "-")}.kubeconfig`);

/** Keys, tokens, and a kubeconfig for each user; made once. */
export async function ensureCredentials(): Promise<void> {
  if (await exists(files.tokens)) return;
  await mkdir(folder, { recursive: true });
  await chmod(clusterFolder, 0o700);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await writeFile(files.serviceAccounts, privateKey.export({ type: "sec1", format: "pem" }));
  const caller = await selfSigned(callerName);
  await writeFile(files.callerCertificate, caller.cert);
  await writeFile(files.callerKey, caller.key);
  const tokens: string[] = [];
  for (const [user, group] of Object.entries(users)) {
    const token = randomBytes(16).toString("hex");
    tokens.push(`${token},${user},${user},"${group}"\n`);
    await writeFile(kubeconfigOf(user), JSON.stringify(configurationFor(user, token)), { mode: 0o600 });
  }
  await writeFile(files.tokens, tokens.join(""));
}

function configurationFor(user: string, token: string): object {
  const name = "postern";
  const server = `https://${machineAddress}:${apiPort}`;
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority": files.authority } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name, context: { cluster: name, user } }],
    "current-context": name,
  };
}
