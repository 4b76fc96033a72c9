import { messageOf } from "../../services/platform/errors.ts";
import { hasCommand, runCommand } from "../peers/command.ts";

/** In the order in which they are looked for. */
export const uses = ["kubeconfig", "kind", "k3d", "own"] as const;
export type Use = (typeof uses)[number];

/** A cluster to be used. */
export interface Choice {
  use: Use;
  /** What kind or k3d calls it; of a kubeconfig the context. */
  name: string;
}

const ownName = "postern";
const limitMs = 30_000;

/**
 * The cluster that `up` takes: the one that is asked for, or else the first that is there. Says why.
 * @throws Error where the one asked for is not to be had
 */
export async function choose(asked: Use | undefined, say: (line: string) => void): Promise<Choice> {
  for (const use of asked ? [asked] : uses) {
    try {
      const { name, why } = await find[use]();
      say(`taking ${use}: ${why}`);
      return { use, name };
    } catch (error) {
      if (asked) throw error;
      say(messageOf(error));
    }
  }
  throw new Error("there is no cluster");
}

interface Found {
  name: string;
  why: string;
}

/** Each @throws Error saying what is missing of it */
const find: Record<Use, () => Promise<Found>> = {
  kubeconfig: ofKubeconfig,
  kind: () => byProgram("kind"),
  k3d: () => byProgram("k3d"),
  own: async () => ({ name: ownName, why: "of programs that are built here once" }),
};

async function ofKubeconfig(): Promise<Found> {
  await needKubectl("kubeconfig");
  const name = (await runCommand("kubectl", ["config", "current-context"], limitMs).catch(() => "")).trim();
  if (name === "") throw new Error("no kubeconfig: it has no current context");
  if (!(await hasCommand("kubectl", ["get", "--raw=/readyz", "--request-timeout=5s"])))
    throw new Error(`no kubeconfig: its context ${name} does not answer`);
  return { name, why: `its context ${name} answers` };
}

async function byProgram(program: "kind" | "k3d"): Promise<Found> {
  if (!(await hasCommand(program, ["version"]))) throw new Error(`no ${program}: it is not on the path`);
  if (!(await hasCommand("docker", ["info"]))) throw new Error(`no ${program}: no Docker answers`);
  await needKubectl(program);
  return { name: ownName, why: "it is on the path, and Docker answers" };
}

async function needKubectl(use: Use): Promise<void> {
  if (!(await hasCommand("kubectl", ["version", "--client"])))
    throw new Error(`no ${use}: there is no kubectl on the path`);
}
