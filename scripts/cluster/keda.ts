import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { clusterFolder } from "../containers/places.ts";
import { Kubectl } from "./kubectl.ts";
import { nodes } from "./network.ts";
import { loadImage } from "./node-images.ts";
import { programImage } from "./program-image.ts";
import { programFolder } from "./programs.ts";

/** KEDA's deployments, each with a container of its name, and the programs that they run. */
const programs: Record<string, string> = { "keda-operator": "operator", "keda-metrics-apiserver": "adapter" };
/** By it the autoscalers of Kubernetes ask for metrics. */
const metrics = "apiservice/v1beta1.external.metrics.k8s.io";

interface Container {
  name: string;
  securityContext: object;
}

interface Manifest {
  kind: string;
  spec: { template: { spec: { containers: Container[] } } };
}

/** Puts KEDA on the cluster, without the webhooks that check what it is given, and waits until it answers. */
export async function provideKeda(say: (line: string) => void): Promise<void> {
  const folder = await programFolder("keda", say);
  const imageOf = (container: string) => `postern.local/${container}:${basename(folder)}`;
  for (const [container, program] of Object.entries(programs)) {
    const archive = await programImage(imageOf(container), join(folder, program));
    for (const node of nodes) await loadImage(node, archive);
  }
  const kubectl = new Kubectl(join(await programFolder("kubernetes", say), "kubectl"));
  const manifests = await manifestsIn(folder, kubectl);
  await kubectl.apply(manifests.map((manifest) => withImages(manifest, imageOf)));
  for (const name of Object.keys(programs))
    await kubectl.run("--namespace=keda", "rollout", "status", `deployment/${name}`, "--timeout=5m");
  await kubectl.run("wait", "--for=condition=Available", "--timeout=3m", metrics);
}

async function manifestsIn(folder: string, kubectl: Kubectl): Promise<Manifest[]> {
  const file = join(clusterFolder, "keda.yaml");
  await kubectl.run("kustomize", join(folder, "config", "minimal"), `--output=${file}`);
  return parseAllDocuments(await readFile(file, "utf8")).map((document) => document.toJS() as Manifest);
}

/** Images with the program alone have no user of their own, and no registry. */
function withImages(manifest: Manifest, imageOf: (container: string) => string): Manifest {
  if (manifest.kind !== "Deployment") return manifest;
  const { template } = manifest.spec;
  const containers = template.spec.containers.map((container) => ({
    ...container,
    image: imageOf(container.name),
    imagePullPolicy: "Never",
    command: ["/program"],
    securityContext: { ...container.securityContext, runAsUser: 10001 },
  }));
  const spec = { ...manifest.spec, template: { ...template, spec: { ...template.spec, containers } } };
  return { ...manifest, spec };
}
