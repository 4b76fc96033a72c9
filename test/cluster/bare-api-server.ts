import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { hasCommand, runCommand } from "../../scripts/peers/command.ts";
import { chart, helm, type KubernetesObject, root, valuesFiles } from "../chart/support/helm.ts";
import type { Part, Step } from "../support/run/steps.ts";
import { startApiServer } from "./api-server.ts";
import { customResourceDefinitions } from "./foreign-kinds.ts";

const limitMs = 120_000;

interface Installed {
  folder: string;
  values: string;
}

/**
 * What can be seen without nodes: the API server takes every object, and every pod that they would make, under the restricted
 * profile; an upgrade changes what is there, and of an uninstalled release nothing is left. Hooks do not run: nobody runs jobs.
 * @param folder where etcd and kube-apiserver are; undefined for the path
 */
export function bareApiServer(folder: string | undefined): Part {
  return { name: "bare", start: () => start(folder) };
}

async function start(folder: string | undefined) {
  const at = (name: string) => (folder ? join(folder, name) : name);
  for (const [name, needed] of [
    ["kubectl", "kubectl"],
    ["etcd", at("etcd")],
    ["kube-apiserver", at("kube-apiserver")],
  ])
    if (!(await hasCommand(needed ?? "", [name === "kubectl" ? "help" : "--version"])))
      throw new Error(
        `test:cluster needs a cluster and IMAGE=REPOSITORY:TAG, or kubectl, etcd and kube-apiserver: there is no ${name} on the path or in KUBEBUILDER_ASSETS`,
      );
  const server = await startApiServer({ etcd: at("etcd"), apiServer: at("kube-apiserver") });
  return { steps: stepsOn(new Bare(server.kubeconfig)), dispose: () => server.stop() };
}

function stepsOn(bare: Bare): Step[] {
  const installs: Installed[] = [
    ...valuesFiles().map((file) => ({ folder: chart, values: file })),
    { folder: join(root, "charts/postern-dev"), values: "default-values.yaml" },
  ];
  return [
    ["what other operators define is known", () => bare.prepare()],
    ["a pod of root is refused", () => bare.expectGuarded()],
    ...installs.flatMap((installed): Step[] => [
      [`${installed.values}: install, and each pod under the restricted profile`, () => bare.install(installed)],
      [`${installed.values}: upgrade`, () => bare.upgrade(installed)],
      [`${installed.values}: uninstall leaves nothing`, () => bare.uninstall()],
    ]),
  ];
}

const release = "postern";
const namespace = "restricted";

class Bare {
  readonly #kubeconfig: string;

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  async prepare(): Promise<void> {
    const definitions = await customResourceDefinitions();
    await this.#create([
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: namespace, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
      },
      // Named by everything-values.yaml; there since a platform team made it.
      { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "important" }, value: 1 },
      // Without controllers nobody makes it.
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } },
      ...definitions,
    ]);
    const names = definitions.map(({ metadata }) => `crd/${metadata.name}`);
    await this.#kubectl("wait", "--for=condition=Established", "--timeout=60s", ...names);
  }

  async expectGuarded(): Promise<void> {
    const spec = { containers: [{ name: "root", image: "any", securityContext: { runAsUser: 0 } }] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "root" }, spec };
    const refusal = await this.#create([pod], "--dry-run=server").then(
      () => "",
      (error: unknown) => String(error),
    );
    if (!refusal.includes("violates PodSecurity")) throw new Error(`it is not: ${refusal || "it was taken"}`);
  }

  async install(installed: Installed): Promise<void> {
    await this.#helm("install", installed);
    const objects = await this.#objectsOf("manifest");
    const hooks = await this.#objectsOf("hooks");
    const [running, standing] = [hooks.filter(isRun), hooks.filter((hook) => !isRun(hook))];
    // What a hook's pod stands on is made and taken away around it.
    await this.#create(standing);
    await this.#create(running, "--dry-run=server");
    const pods = [...objects, ...hooks].flatMap(podsOf);
    if (pods.length === 0) throw new Error("there is no pod in it");
    await this.#create(pods, "--dry-run=server");
    for (const { kind, metadata } of standing) await this.#kubectl("delete", kind, metadata.name);
  }

  async upgrade(installed: Installed): Promise<void> {
    const before = await this.#objectsOf("manifest");
    await this.#helm("upgrade", installed, "--set=defaults.replicas=3,image.tag=next,image.digest=");
    const after = await this.#objectsOf("manifest");
    if (installed.folder === chart && JSON.stringify(before) === JSON.stringify(after))
      throw new Error("it changed nothing");
    await this.#create(after.flatMap(podsOf), "--dry-run=server");
  }

  /** Of all kinds that there are, whatever their labels say. */
  async uninstall(): Promise<void> {
    await runCommand(helm, [...this.#where(), "uninstall", release], limitMs);
    const kinds = await this.#kubectl("api-resources", "--namespaced", "--verbs=list", "--output=name");
    const lists = kinds.split("\n").filter((kind) => kind !== "" && !/^(events|pods\.metrics)/.test(kind));
    const found = await this.#kubectl("get", lists.join(","), "--output=name", "--ignore-not-found");
    const left = found.split("\n").filter((line) => /^[\w.-]+\/\S+$/.test(line) && line !== "serviceaccount/default");
    if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
  }

  async #helm(verb: "install" | "upgrade", { folder, values }: Installed, ...words: string[]): Promise<void> {
    const settings = [`--values=${join(folder, "ci", values)}`, "--no-hooks"];
    await runCommand(helm, [...this.#where(), verb, release, folder, ...settings, ...words], limitMs);
  }

  async #objectsOf(what: "manifest" | "hooks"): Promise<KubernetesObject[]> {
    const text = await runCommand(helm, [...this.#where(), "get", what, release], limitMs);
    const objects = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject | null);
    return objects.filter((object) => object !== null);
  }

  async #create(objects: readonly object[], ...words: string[]): Promise<void> {
    if (objects.length === 0) return;
    const file = join(tmpdir(), `postern-objects-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    await this.#kubectl("create", `--filename=${file}`, ...words);
  }

  #kubectl(...words: string[]): Promise<string> {
    return runCommand("kubectl", [...this.#where(), ...words], limitMs);
  }

  #where(): string[] {
    return [`--kubeconfig=${this.#kubeconfig}`, `--namespace=${namespace}`];
  }
}

/** Jobs and pods: what nobody here would run. */
const isRun = ({ kind }: KubernetesObject) => kind === "Job" || kind === "Pod";

interface Template {
  metadata?: object;
  spec: object;
}

/** The pod that an object is, or that a controller would make of it. */
function podsOf(object: KubernetesObject): object[] {
  if (object.kind === "Pod") return [];
  const { template } = (object["spec"] ?? {}) as { template?: Template };
  if (!template?.spec || object.kind === "ScaledObject") return [];
  const metadata = { ...template.metadata, name: object.metadata.name };
  // A controller would have said so, as the restart policy of a Job's pods says it already.
  return [{ apiVersion: "v1", kind: "Pod", metadata, spec: template.spec }];
}
