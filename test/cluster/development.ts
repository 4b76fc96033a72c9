import { match } from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachedProcess } from "../../scripts/peers/attached-process.ts";
import { runCommand } from "../../scripts/peers/command.ts";
import { root } from "../chart/support/helm.ts";
import { eventually } from "../support/eventually.ts";
import type { Part, Step } from "../support/run/steps.ts";
import { Site, type Surroundings } from "./site.ts";
import { addressOf } from "./site-mail.ts";

const limitMs = 60_000;
/** Skaffold itself may have to be built first. */
const startLimitMs = 90 * 60_000;
/** Before Skaffold ends it takes away what it installed. */
const stopLimitMs = 5 * 60_000;
const changePatience = { patienceMs: 15 * 60_000, restMs: 2_000 };
const changed = { file: "services/ingress/smtp/smtp-server.ts", from: '"Postern"', to: '"Postern, changed"' };

/** `skaffold dev` on a copy of this tree: a file of it is changed, and a pod runs the change. */
export function development(surroundings: Surroundings): Part {
  return {
    name: "dev",
    start: async () => {
      const tree = await copyOfTree();
      const site = new Site(surroundings);
      const skaffold = new Skaffold(tree, site);
      const dispose = async () => {
        await skaffold.stop();
        await site.dispose();
        await rm(tree, { recursive: true });
      };
      return { steps: stepsOn(skaffold, site), dispose };
    },
  };
}

function stepsOn(skaffold: Skaffold, site: Site): Step[] {
  return [
    ["skaffold dev builds, installs and watches", () => skaffold.start()],
    ["helm test sends a mail", () => site.sendMail()],
    ["SMTP greets as the tree has it", async () => match(await greeting(site), /Postern$/)],
    [
      "a file is changed, and SMTP greets as that has it",
      async () => {
        await skaffold.change();
        await eventually(async () => match(await greeting(site), /Postern, changed$/), changePatience);
      },
    ],
    ["helm test sends a mail again", () => site.sendMail()],
    [
      "it ends, and takes away what it installed",
      async () => {
        await skaffold.stop();
        const left = await site.kubectl("get", "deployments,services,secrets", "--output=name", "--ignore-not-found");
        if (left.trim() !== "") throw new Error(`left behind: ${left.trim()}`);
      },
    ],
  ];
}

class Skaffold {
  readonly #tree: string;
  readonly #site: Site;
  #process: AttachedProcess | undefined;

  constructor(tree: string, site: Site) {
    this.#tree = tree;
    this.#site = site;
  }

  async start(): Promise<void> {
    const { namespace } = this.#site;
    await runCommand("kubectl", ["create", "namespace", namespace], limitMs);
    const words = ["--profile=single", `--namespace=${namespace}`, "--cache-artifacts=false", "--port-forward=off"];
    const command = [process.execPath, join(this.#tree, "scripts/cluster.ts"), "dev", ...words];
    this.#process = await AttachedProcess.start("skaffold", join(this.#tree, "skaffold.log"), [
      "env",
      `--chdir=${this.#tree}`,
      ...command,
    ]);
    await this.#process.ready((log) => log.includes("Watching for changes"), startLimitMs);
  }

  async change(): Promise<void> {
    const file = join(this.#tree, changed.file);
    const text = await readFile(file, "utf8");
    if (!text.includes(changed.from)) throw new Error(`${changed.file} has no ${changed.from}`);
    await writeFile(file, text.replace(changed.from, changed.to));
  }

  async stop(): Promise<void> {
    await this.#process?.stop(stopLimitMs);
  }
}

/** Without its history; what is installed is this tree's. */
async function copyOfTree(): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), "postern-tree-"));
  const copy =
    'cd "$1" && git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --ignore-failed-read --create | tar --extract --directory="$2"';
  await runCommand("bash", ["-o", "pipefail", "-c", copy, "bash", root, tree], limitMs);
  await symlink(join(root, "node_modules"), join(tree, "node_modules"));
  return tree;
}

async function greeting(site: Site): Promise<string> {
  const read = `exec 3<>/dev/tcp/${await addressOf(site, "postern-smtp")}/25 && read -r line <&3 && echo "$line"`;
  return (await runCommand("timeout", ["10", "bash", "-c", read], limitMs)).trim();
}
