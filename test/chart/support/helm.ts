import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { runCommand } from "../../../scripts/peers/command.ts";
import { helmCommand } from "../../../scripts/peers/helm.ts";

export const root = join(import.meta.dirname, "../../..");
export const chart = join(root, "charts/postern");
const limitMs = 60_000;

/** What a template gives: as much of an object as tests look at. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [member: string]: unknown;
}

/** Had when this file is loaded, before any test's time begins to run, since building it may take minutes. */
export const helm = await helmCommand();

/** The files of values under charts/postern/ci. */
export function valuesFiles(): string[] {
  return readdirSync(join(chart, "ci")).filter((file) => file.endsWith("-values.yaml"));
}

/** @throws Error with what helm says. */
export async function lint(folder: string, ...valuesPaths: string[]): Promise<string> {
  return runCommand(helm, ["lint", "--strict", folder, ...valuesPaths.map((path) => `--values=${path}`)], limitMs);
}

/**
 * The objects of a chart with a file of ci/ and more values on top, hooks and tests among them.
 * @throws Error with what helm says.
 */
export async function render(file: string, values: object = {}, folder = chart): Promise<KubernetesObject[]> {
  return parse(await template(file, values, folder));
}

export async function template(file: string, values: object = {}, folder = chart): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "postern-chart-"));
  const path = join(scratch, "values.yaml");
  writeFileSync(path, stringify(values));
  const words = ["template", "mail", folder, "--namespace=postern", `--values=${join(folder, "ci", file)}`];
  try {
    return await runCommand(helm, [...words, `--values=${path}`], limitMs);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Names of the objects of a kind, without the release's. */
export function namesOf(objects: readonly KubernetesObject[], kind: string): string[] {
  return objects
    .filter((object) => object.kind === kind)
    .map(({ metadata }) => metadata.name.replace("mail-postern-", ""));
}

/** @throws Error where there is none of that name */
export function objectOf(
  objects: readonly KubernetesObject[],
  kind: string,
  name: string,
): KubernetesObject & { spec: never } {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === `mail-postern-${name}`);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found as KubernetesObject & { spec: never };
}

function parse(text: string): KubernetesObject[] {
  return parseAllDocuments(text)
    .map((document) => {
      // A key given twice, or a colon too many: what the cluster would refuse.
      const [fault] = document.errors;
      if (fault) throw fault;
      return document.toJS() as KubernetesObject | null;
    })
    .filter((object) => object !== null);
}
