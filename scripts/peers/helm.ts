import { hasCommand } from "./command.ts";
import { goProgram } from "./go-program.ts";

/** Helm of the path, or built from its Go module, which may take minutes. @throws Error saying how to get one */
export async function helmCommand(): Promise<string> {
  if (await hasCommand("helm", ["version"])) return "helm";
  return goProgram({
    module: "helm.sh/helm/v4/cmd/helm",
    version: "v4.3.1",
    needed: "The chart needs Helm: put helm on the path, or Go 1.26 to build it",
  });
}
