import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { hasCommand, runCommand } from "../scripts/peers/command.ts";
import { messageOf } from "../services/platform/errors.ts";
import { chart, helm, root } from "./chart/support/helm.ts";

// `npm run test:cluster`: the chart on the cluster of the kubeconfig, in namespaces of its own. Installed with throw-away
// stores, tested, upgraded, tested again, and taken away without a trace. IMAGE names the image, which its nodes can pull.
//   IMAGE=registry.example.org/postern:dev npm run test:cluster

const image = process.env["IMAGE"];
const namespace = `postern-test-${randomBytes(3).toString("hex")}`;
const dev = join(chart, "ci/dev-values.yaml");
const limitMs = 15 * 60_000;
const shortMs = 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const kubectl = (...words: string[]) => runCommand("kubectl", ["--namespace", namespace, ...words], limitMs);
const withHelm = async (...words: string[]) => runCommand(helm, ["--namespace", namespace, ...words], limitMs);

async function checkCluster(): Promise<void> {
  const needed = "test:cluster needs a cluster";
  if (!(await hasCommand("kubectl", ["version", "--client"])))
    throw new Error(`${needed}: there is no kubectl on the path`);
  await runCommand("kubectl", ["get", "--raw", "/readyz", "--request-timeout=10s"], shortMs).catch((cause: unknown) => {
    throw new Error(`${needed}: the kubeconfig's does not answer. ${messageOf(cause)}`, { cause });
  });
  if (!image) throw new Error("test:cluster needs an image that the cluster can pull: set IMAGE=REPOSITORY:TAG");
}

function imageValues(): string[] {
  const at = image?.lastIndexOf(":") ?? 0;
  return ["--set", `image.repository=${image?.slice(0, at)}`, "--set", `image.tag=${image?.slice(at + 1)}`];
}

/** What is left of a release: everything that its labels say is its. */
async function remains(release: string): Promise<string[]> {
  const kinds = "all,configmap,secret,serviceaccount,networkpolicy,poddisruptionbudget,horizontalpodautoscaler,ingress";
  const label = `app.kubernetes.io/instance=${release},app.kubernetes.io/part-of=postern`;
  const found = await kubectl("get", kinds, "--selector", label, "--output=name", "--ignore-not-found");
  return found.split("\n").filter((line) => line.includes("/"));
}

const steps: readonly [name: string, run: () => Promise<unknown>][] = [
  [
    "stores are installed",
    () => withHelm("install", "postern-dev", join(root, "charts/postern-dev"), "--wait", "--create-namespace"),
  ],
  [
    "install",
    () => withHelm("install", "postern", chart, "--values", dev, ...imageValues(), "--wait", "--timeout=10m"),
  ],
  ["helm test sends a mail", () => withHelm("test", "postern", "--logs")],
  [
    "upgrade",
    () =>
      withHelm(
        "upgrade",
        "postern",
        chart,
        "--values",
        dev,
        ...imageValues(),
        "--set",
        "defaults.replicas=2",
        "--wait",
        "--timeout=10m",
      ),
  ],
  ["helm test sends a mail again", () => withHelm("test", "postern", "--logs")],
  [
    "uninstall leaves nothing",
    async () => {
      await withHelm("uninstall", "postern", "--wait");
      const left = await remains("postern");
      if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
    },
  ],
];

let passed = 0;
let failed = 0;
let step = "before anything";
try {
  await checkCluster();
  for (const [name, run] of steps) {
    step = name;
    await run();
    passed++;
    say(`passed  ${name}`);
  }
} catch (error) {
  failed++;
  say(`FAILED  ${step}: ${messageOf(error)}`);
} finally {
  // The first step makes it, even if it then fails.
  if (passed > 0 || step === steps[0]?.[0])
    await runCommand("kubectl", ["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"], shortMs);
}
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
