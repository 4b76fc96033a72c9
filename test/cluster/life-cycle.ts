import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import type { Step } from "../support/run/steps.ts";
import type { Site } from "./site.ts";

const patienceMs = 120_000;
const kafka = "deployment/postern-dev-kafka";
const awayMs = 30_000;
const grouped = ["auth", "gateway", "mail", "rest", "webhook"];
const services = ["auth", "bindings", "forwarder", "gateway", "ingress", "mailbox", "rest", "webhook"];
/** As they were, but each service by itself. */
const separate = ["--set", "defaults.replicas=2", "--set-json", "groups=null"];

/**
 * The chart installed, upgraded and taken away without a trace.
 * @param nodes those that may be drained: of a cluster that is there for tests, and nobody else's
 */
export function lifeCycle(site: Site, nodes: readonly string[]): Step[] {
  const sendsMail = () => site.sendMail();
  return [
    ["stores are installed", () => site.installStores()],
    ["install", () => site.release("install")],
    ["helm test sends a mail", sendsMail],
    ["the services of mail are one deployment", () => expectDeployments(site, grouped)],
    ["upgrade", () => site.release("upgrade", ["--set", "defaults.replicas=2"])],
    ["helm test sends a mail again", sendsMail],
    ["every pod is replaced, and mail arrives all the while", () => replaceEveryPod(site)],
    ["Kafka is away, and every pod stays in its Service", () => withoutKafka(site)],
    ["helm test sends a mail once it is back", sendsMail],
    ["upgrade to each service by itself", () => site.release("upgrade", separate)],
    ["helm test sends that a mail, too", sendsMail],
    ["each service is a deployment", () => expectDeployments(site, services)],
    ["every pod of that is replaced, and mail arrives all the while", () => replaceEveryPod(site)],
    ...nodes.map((node): Step => [`${node} is drained, and mail arrives all the while`, () => drain(site, node)]),
    ["uninstall leaves nothing", () => uninstall(site)],
    ["install as one deployment", () => site.release("install", ["--set", "mode=single"])],
    ["helm test sends that a mail", sendsMail],
    ["uninstall leaves nothing of that", () => uninstall(site)],
  ];
}

/** Away for longer than a readiness probe takes to fail. */
async function withoutKafka(site: Site): Promise<void> {
  const scale = async (replicas: number) => {
    await site.kubectl("scale", kafka, `--replicas=${replicas}`);
    await site.kubectl("rollout", "status", kafka);
  };
  await scale(0);
  try {
    await delay(awayMs);
    const each = "{range .items[*]}{.metadata.name}={.status.readyReplicas}/{.spec.replicas} {end}";
    const told = await site.kubectl("get", "deployment", "--selector", site.labels, `--output=jsonpath=${each}`);
    const unready = told
      .trim()
      .split(" ")
      .filter((deployment) => !/=(\d+)\/\1$/.test(deployment));
    if (unready.length > 0) throw new Error(`not led to: ${unready.join(", ")}`);
  } finally {
    await scale(1);
  }
}

async function expectDeployments(site: Site, expected: readonly string[]): Promise<void> {
  const names = await site.kubectl("get", "deployment", "--selector", site.labels, "--output=name");
  if (names.trim() !== expected.map((name) => `deployment.apps/postern-${name}`).join("\n"))
    throw new Error(`deployments: ${names}`);
}

async function replaceEveryPod(site: Site): Promise<void> {
  const deployments = ["deployment", "--selector", site.labels];
  await site.kubectl("rollout", "restart", ...deployments);
  await sendingMailDuring(site, () => site.kubectl("rollout", "status", ...deployments));
}

/** All of the release's pods leave a node; the stores, which have one copy each, stay. */
async function drain(site: Site, node: string): Promise<void> {
  // The pod that sends mail meanwhile is nobody's who would make it again.
  const pods = `${site.labels},app.kubernetes.io/component!=test`;
  const leaves = () => site.kubectl("drain", node, `--pod-selector=${pods}`, "--delete-emptydir-data", "--timeout=10m");
  try {
    await sendingMailDuring(site, leaves);
    const on = `--field-selector=spec.nodeName=${node}`;
    const left = await site.kubectl("get", "pods", on, `--selector=${pods}`, "--output=name");
    if (left.includes("pod/")) throw new Error(`still there: ${left.trim()}`);
    await site.kubectl("rollout", "status", "deployment", "--selector", site.labels);
  } finally {
    await site.kubectl("uncordon", node);
  }
}

/** Sends one mail after the other until something is done; at least one. */
async function sendingMailDuring(site: Site, act: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  const acted = act().finally(() => {
    isDone = true;
  });
  const done = (async () => {
    do await site.sendMail();
    while (!isDone);
  })();
  await Promise.all([acted, done]);
}

async function uninstall(site: Site): Promise<void> {
  await site.helm("uninstall", "postern");
  // Pods take their time to end; Helm's own --wait is over while some still do.
  await eventually(
    async () => {
      const left = await remains(site);
      if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
    },
    { patienceMs, restMs: 1_000 },
  );
}

/** What is left of the release: everything that its labels say is its. */
async function remains(site: Site): Promise<string[]> {
  const kinds = "all,configmap,secret,serviceaccount,networkpolicy,poddisruptionbudget,horizontalpodautoscaler,ingress";
  const found = await site.kubectl("get", kinds, "--selector", site.labels, "--output=name", "--ignore-not-found");
  return found.split("\n").filter((line) => line.includes("/"));
}
