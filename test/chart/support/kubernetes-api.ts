import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../../scripts/peers/command.ts";
import { messageOf } from "../../../services/platform/errors.ts";
import { type KubernetesObject, root } from "./helm.ts";

// Objects are held against the Kubernetes API as its OpenAPI and the CRDs have it, without a cluster: values, formats and
// what is missing by validators generated from it (kubernetes-models), fields that nobody knows by TypeScript over the
// types generated from it, since such schemas let them pass.

/** Where the types and validators of an API group are; the others are Kubernetes' own. */
const packages: Readonly<Record<string, string>> = {
  "cert-manager.io": "@kubernetes-models/cert-manager",
  "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
  "keda.sh": "@kubernetes-models/keda",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
};

const compileLimitMs = 150_000;

function moduleOf({ apiVersion, kind }: KubernetesObject): string {
  const [group = ""] = apiVersion.includes("/") ? apiVersion.split("/") : [""];
  return `${packages[group] ?? "kubernetes-models"}/${apiVersion}/${kind}`;
}

const nameOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

/** What the API would find wrong with these objects, a line each; empty if nothing. */
export async function faultsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  return [...(await invalid(objects)), ...(await mistyped(objects))];
}

type ModelClass = new (object: KubernetesObject) => { validate(): void };

async function invalid(objects: readonly KubernetesObject[]): Promise<string[]> {
  const faults: string[] = [];
  for (const object of objects) {
    try {
      const models = (await import(moduleOf(object))) as Record<string, ModelClass>;
      const Model = models[object.kind];
      if (!Model) throw new Error("the API has no such kind");
      new Model(object).validate();
    } catch (error) {
      faults.push(`${nameOf(object)}: ${messageOf(error)}`);
    }
  }
  return faults;
}

let compiled = 0;

async function mistyped(objects: readonly KubernetesObject[]): Promise<string[]> {
  // Within the project, where the packages are found.
  const folder = join(root, ".cache", "chart-types", `${process.pid}-${compiled++}`);
  mkdirSync(folder, { recursive: true });
  const source = objects.map((object, at) => {
    const type = `import type { I${object.kind} as T${at} } from "${moduleOf(object)}";`;
    return `${type}\n// ${nameOf(object)}\nexport const o${at}: T${at} = ${JSON.stringify(object)};`;
  });
  const path = join(folder, "objects.ts");
  writeFileSync(path, source.join("\n"));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
  try {
    await runCommand("tsc", [...options, "--ignoreConfig", "--pretty", "false", path], compileLimitMs);
    return [];
  } catch (error) {
    // Three lines an object: its name is on the line above the one complained of.
    const lines = source.join("\n").split("\n");
    return messageOf(error)
      .split("\n")
      .filter((line) => line.includes("error TS"))
      .map((line) => `${lines[Number(/\((\d+),/.exec(line)?.[1]) - 2] ?? ""}: ${line.replace(/^.*error /, "")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
