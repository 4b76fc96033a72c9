import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { cachedProgram, inItself } from "../containers/cached-program.ts";
import { Docker } from "../containers/docker.ts";
import { clusterFolder, clusterPlace, kubeconfig } from "../containers/places.ts";
import { cacheFolder } from "../peers/cache-folder.ts";
import { distribute } from "./node-images.ts";
import { programFolder } from "./programs.ts";

type Say = (line: string) => void;

/** Without prompts, and without telling anybody what is done with it. */
const settings = "global: { collect-metrics: false, survey: { disable-prompt: true } }\n";

/**
 * `skaffold dev` of the tree in the current folder, by a Docker that runs meanwhile, until it ends or is asked to.
 * @param words more of its command line
 * @returns its exit code
 */
export async function develop(words: readonly string[], say: Say): Promise<number> {
  const [program, helm, kubectl] = [await skaffold(say), await helm3(say), await programFolder("kubernetes", say)];
  const path = [dirname(helm), kubectl, dirname(process.execPath)];
  const settingsFile = join(clusterFolder, "skaffold", "config");
  await mkdir(dirname(settingsFile), { recursive: true });
  await writeFile(settingsFile, settings);
  const docker = await Docker.start(clusterPlace, cacheFolder("docker"), ["nice"]);
  try {
    const fixed = [`--config=${settingsFile}`, "--update-check=false", "--profile=own"];
    const child = spawn(program, ["dev", ...fixed, ...words], {
      stdio: "inherit",
      env: {
        ...process.env,
        PATH: [...path, process.env["PATH"]].join(delimiter),
        KUBECONFIG: kubeconfig,
        DOCKER_HOST: docker.host,
      },
    });
    // It takes away what it installed before it ends. From a terminal it is told by itself.
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  } finally {
    await docker.stop();
  }
}

/** Gives the nodes an image that Skaffold built, by the name that it deploys it under: its repository and the id of its contents. */
export async function loadBuilt(image: string): Promise<void> {
  const docker = await Docker.start(clusterPlace, cacheFolder("docker"));
  const id = await docker.idOf(image);
  const repository = image.slice(0, image.lastIndexOf(":"));
  await distribute(docker, new Map([[`${repository}:${id.replace("sha256:", "")}`, id]]));
}

function skaffold(say: Say): Promise<string> {
  const [module, version] = ["github.com/GoogleContainerTools/skaffold/v2", "v2.16.1"];
  return cachedProgram({ name: "skaffold", version, build: inItself(module, version, "./cmd/skaffold") }, say);
}

/** One that this Skaffold knows: it hands Helm its renderer as Helm 4 takes none. */
function helm3(say: Say): Promise<string> {
  const [module, version] = ["helm.sh/helm/v3", "v3.20.2"];
  return cachedProgram({ name: "helm", version, build: inItself(module, version, "./cmd/helm") }, say);
}
