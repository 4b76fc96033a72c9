import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { hasCommand, runCommand } from "../../scripts/peers/command.ts";
import { messageOf } from "../../services/platform/errors.ts";
import { chart, helm, root } from "../chart/support/helm.ts";
import { eventually } from "../support/eventually.ts";
import type { ClusterUnderTest, Step } from "./steps.ts";

const namespace = `postern-test-${randomBytes(3).toString("hex")}`;
const dev = join(chart, "ci/dev-values.yaml");
const limitMs = 15 * 60_000;
const shortMs = 60_000;

const kubectl = (...words: string[]) => runCommand("kubectl", ["--namespace", namespace, ...words], limitMs);
const withHelm = (...words: string[]) => runCommand(helm, ["--namespace", namespace, ...words], limitMs);

async function checkCluster(): Promise<void> {
  const needed = "test:cluster needs a cluster";
  if (!(await hasCommand("kubectl", ["version", "--client"])))
    throw new Error(`${needed}: there is no kubectl on the path`);
  await runCommand("kubectl", ["get", "--raw", "/readyz", "--request-timeout=10s"], shortMs).catch((cause: unknown) => {
    throw new Error(`${needed}: the kubeconfig's does not answer. ${messageOf(cause)}`, { cause });
  });
}

function imageValues(image: string): string[] {
  const at = image.lastIndexOf(":");
  return ["--set", `image.repository=${image.slice(0, at)}`, "--set", `image.tag=${image.slice(at + 1)}`];
}

const labels = (release: string) => `app.kubernetes.io/instance=${release},app.kubernetes.io/part-of=postern`;

/** What is left of a release: everything that its labels say is its. */
async function remains(release: string): Promise<string[]> {
  const kinds = "all,configmap,secret,serviceaccount,networkpolicy,poddisruptionbudget,horizontalpodautoscaler,ingress";
  const found = await kubectl("get", kinds, "--selector", labels(release), "--output=name", "--ignore-not-found");
  return found.split("\n").filter((line) => line.includes("/"));
}

/** On the cluster of the kubeconfig, whose nodes can pull the image, in a namespace of its own, with throw-away stores. */
export async function wholeCluster(image: string): Promise<ClusterUnderTest> {
  await checkCluster();
  return {
    steps: stepsWith(imageValues(image)),
    dispose: () =>
      runCommand("kubectl", ["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"], shortMs),
  };
}

const stepsWith = (imageWords: readonly string[]): Step[] => {
  const released = (verb: string, ...words: string[]) =>
    withHelm(verb, "postern", chart, "--values", dev, ...imageWords, ...words, "--wait", "--timeout=10m");
  const sendsMail = () => withHelm("test", "postern", "--logs");
  return [
    [
      "stores are installed",
      () => withHelm("install", "postern-dev", join(root, "charts/postern-dev"), "--wait", "--create-namespace"),
    ],
    ["install", () => released("install")],
    ["helm test sends a mail", sendsMail],
    ["upgrade", () => released("upgrade", "--set", "defaults.replicas=2")],
    ["helm test sends a mail again", sendsMail],
    ["every pod is replaced, and mail arrives all the while", () => replaceEveryPod(sendsMail)],
    ["uninstall leaves nothing", uninstall],
    ["install as one deployment", () => released("install", "--set", "mode=single")],
    ["helm test sends that a mail", sendsMail],
    ["uninstall leaves nothing of that", uninstall],
  ];
};

async function replaceEveryPod(meanwhile: () => Promise<unknown>): Promise<void> {
  const deployments = ["deployment", "--selector", labels("postern")];
  await kubectl("rollout", "restart", ...deployments);
  let isReplaced = false;
  const replaced = kubectl("rollout", "status", ...deployments).finally(() => {
    isReplaced = true;
  });
  const sent = (async () => {
    while (!isReplaced) await meanwhile();
  })();
  await Promise.all([replaced, sent]);
}

async function uninstall(): Promise<void> {
  await withHelm("uninstall", "postern");
  // Pods take their time to end; Helm's own --wait is over while some still do.
  await eventually(
    async () => {
      const left = await remains("postern");
      if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
    },
    { patienceMs: 2 * shortMs, restMs: 1_000 },
  );
}
