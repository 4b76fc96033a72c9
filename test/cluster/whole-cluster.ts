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

interface Surroundings {
  /** What the nodes have or can pull. */
  image: string;
  /** Images of stores, by their names, for nodes that cannot pull those of charts/postern-dev. */
  stores: Readonly<Record<string, string>>;
  /** Nodes that may be drained: of a cluster that is there for tests, and nobody else's. */
  nodes: readonly string[];
}

/** On the cluster of the kubeconfig, in a namespace of its own, with throw-away stores. */
export async function wholeCluster(surroundings: Surroundings): Promise<ClusterUnderTest> {
  await checkCluster();
  return {
    steps: stepsWith(surroundings),
    dispose: () =>
      runCommand("kubectl", ["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"], shortMs),
  };
}

const stepsWith = ({ image, stores, nodes }: Surroundings): Step[] => {
  const imageWords = imageValues(image);
  const storeWords = Object.entries(stores).map(([name, tag]) => `--set=images.${name}=${tag}`);
  const released = (verb: string, ...words: string[]) =>
    withHelm(verb, "postern", chart, "--values", dev, ...imageWords, ...words, "--wait", "--timeout=10m");
  const sendsMail = () => withHelm("test", "postern", "--logs");
  return [
    [
      "stores are installed",
      () =>
        withHelm(
          "install",
          "postern-dev",
          join(root, "charts/postern-dev"),
          ...storeWords,
          "--wait",
          "--create-namespace",
        ),
    ],
    ["install", () => released("install")],
    ["helm test sends a mail", sendsMail],
    ["upgrade", () => released("upgrade", "--set", "defaults.replicas=2")],
    ["helm test sends a mail again", sendsMail],
    ["every pod is replaced, and mail arrives all the while", () => replaceEveryPod(sendsMail)],
    ...nodes.map((node): Step => [`${node} is drained, and mail arrives all the while`, () => drain(node, sendsMail)]),
    ["uninstall leaves nothing", uninstall],
    ["install as one deployment", () => released("install", "--set", "mode=single")],
    ["helm test sends that a mail", sendsMail],
    ["uninstall leaves nothing of that", uninstall],
  ];
};

async function replaceEveryPod(meanwhile: () => Promise<unknown>): Promise<void> {
  const deployments = ["deployment", "--selector", labels("postern")];
  await kubectl("rollout", "restart", ...deployments);
  await during(() => kubectl("rollout", "status", ...deployments), meanwhile);
}

/** All of the release's pods leave a node; the stores, which have one copy each, stay. */
async function drain(node: string, meanwhile: () => Promise<unknown>): Promise<void> {
  // The pod that sends mail meanwhile is nobody's who would make it again.
  const pods = `${labels("postern")},app.kubernetes.io/component!=test`;
  const leaves = () => kubectl("drain", node, `--pod-selector=${pods}`, "--delete-emptydir-data", "--timeout=10m");
  try {
    await during(leaves, meanwhile);
    const on = `--field-selector=spec.nodeName=${node}`;
    const left = await kubectl("get", "pods", on, `--selector=${pods}`, "--output=name");
    if (left.includes("pod/")) throw new Error(`still there: ${left.trim()}`);
    await kubectl("rollout", "status", "deployment", "--selector", labels("postern"));
  } finally {
    await kubectl("uncordon", node);
  }
}

/** Does one thing over and over until another is done; at least once. */
async function during(act: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  const acted = act().finally(() => {
    isDone = true;
  });
  const done = (async () => {
    do await meanwhile();
    while (!isDone);
  })();
  await Promise.all([acted, done]);
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
