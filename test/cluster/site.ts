import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { runCommand } from "../../scripts/peers/command.ts";
import { chart, helm, root } from "../chart/support/helm.ts";

const dev = join(chart, "ci/dev-values.yaml");
const limitMs = 15 * 60_000;

export interface Surroundings {
  /** What the nodes have or can pull. */
  image: string;
  /** Images of stores, by their names, for nodes that cannot pull those of charts/postern-dev. */
  stores: Readonly<Record<string, string>>;
}

/** A namespace of the kubeconfig's cluster, with throw-away stores and a release of a chart. */
export class Site {
  readonly namespace = `postern-test-${randomBytes(3).toString("hex")}`;
  /** What all pods of the release are labelled with. */
  readonly labels = "app.kubernetes.io/instance=postern,app.kubernetes.io/part-of=postern";
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  kubectl(...words: string[]): Promise<string> {
    return runCommand("kubectl", ["--namespace", this.namespace, ...words], limitMs);
  }

  helm(...words: string[]): Promise<string> {
    return runCommand(helm, ["--namespace", this.namespace, ...words], limitMs);
  }

  installStores(): Promise<string> {
    const images = Object.entries(this.#surroundings.stores).map(([name, tag]) => `--set=images.${name}=${tag}`);
    return this.helm(
      "install",
      "postern-dev",
      join(root, "charts/postern-dev"),
      ...images,
      "--wait",
      "--create-namespace",
    );
  }

  /** Installs or upgrades the release: to this tree's chart and image, or to another's. */
  release(
    verb: "install" | "upgrade",
    words: readonly string[] = [],
    { chart: folder, image } = { chart, image: this.#surroundings.image },
  ): Promise<string> {
    const at = image.lastIndexOf(":");
    const settings = [`--set=image.repository=${image.slice(0, at)}`, `--set=image.tag=${image.slice(at + 1)}`];
    return this.helm(verb, "postern", folder, "--values", dev, ...settings, ...words, "--wait", "--timeout=10m");
  }

  /** `helm test`: a mail through the installation. */
  sendMail(): Promise<string> {
    return this.helm("test", "postern", "--logs");
  }

  dispose(): Promise<string> {
    return runCommand(
      "kubectl",
      ["delete", "namespace", this.namespace, "--ignore-not-found", "--wait=false"],
      limitMs,
    );
  }
}
