import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning, lastWords } from "../containers/daemon.ts";
import { clusterFolder, clusterPlace, kubeconfig } from "../containers/places.ts";
import { runCommand } from "../peers/command.ts";

const startLimitMs = 5 * 60_000;
const limitMs = 6 * 60_000;

/** The cluster by its administrator. */
export class Kubectl {
  readonly #program: string;

  constructor(program: string) {
    this.#program = program;
  }

  run(...words: string[]): Promise<string> {
    return runCommand(this.#program, [`--kubeconfig=${kubeconfig}`, ...words], limitMs);
  }

  /** Waits for the API server. @throws with the end of its output if it ends before */
  async answers(): Promise<void> {
    for (const until = Date.now() + startLimitMs; ; await delay(500)) {
      const fault = await this.run("get", "--raw=/readyz", "--request-timeout=5s").then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!fault) return;
      if (!(await isRunning(clusterPlace, "kube-apiserver")))
        throw new Error(`the API server ended: ${await lastWords(clusterPlace, "kube-apiserver")}`, { cause: fault });
      if (Date.now() > until) throw new Error("the API server does not answer", { cause: fault });
    }
  }

  /** Waits until objects are there: "wait" itself fails at what is not yet. */
  async appear(kind: string, names: readonly string[]): Promise<void> {
    await this.run(
      "wait",
      "--for=create",
      `--timeout=${startLimitMs / 1_000}s`,
      ...names.map((name) => `${kind}/${name}`),
    );
  }

  async apply(objects: readonly object[]): Promise<void> {
    const file = join(clusterFolder, "objects.json");
    await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    // Not by this side: some definitions of kinds are longer than the annotation that it would note them in.
    await this.run("apply", "--server-side", "--force-conflicts", `--filename=${file}`);
  }
}
