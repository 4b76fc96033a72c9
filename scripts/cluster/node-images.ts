import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Docker } from "../containers/docker.ts";
import { clusterFolder, clusterPlace } from "../containers/places.ts";
import { cacheFolder } from "../peers/cache-folder.ts";
import { runCommand } from "../peers/command.ts";
import { type NodeNetwork, nodes } from "./network.ts";
import { folderOf, socketOf } from "./node.ts";

const importLimitMs = 10 * 60_000;

/** Loads an image from an archive, as docker saves one. */
export async function loadImage(node: NodeNetwork, archive: string): Promise<void> {
  const words = [`--address=${socketOf(node)}`, "--namespace=k8s.io", "images", "import", archive];
  await runCommand("ctr", words, importLimitMs);
}

/** Builds images, by a Docker that runs meanwhile, and gives them to the nodes. */
export async function provideImages(build: (docker: Docker) => Promise<ReadonlyMap<string, string>>): Promise<void> {
  const docker = await Docker.start(clusterPlace, cacheFolder("docker"), ["nice"]);
  try {
    await distribute(docker, await build(docker));
  } finally {
    await docker.stop();
  }
}

/** Gives every node the images that it has not: tags with the ids of their contents. */
export async function distribute(docker: Docker, images: ReadonlyMap<string, string>): Promise<void> {
  const archive = join(clusterFolder, "image.tar");
  for (const [tag, id] of images) {
    const lacking = await Promise.all(nodes.map(async (node) => ((await loadedBy(node))[tag] === id ? [] : [node])));
    if (lacking.flat().length === 0) continue;
    await docker.run("save", `--output=${archive}`, tag);
    for (const node of lacking.flat()) {
      await loadImage(node, archive);
      await writeFile(listOf(node), JSON.stringify({ ...(await loadedBy(node)), [tag]: id }));
    }
    await rm(archive);
  }
}

const listOf = (node: NodeNetwork) => join(folderOf(node), "images.json");

/** What a node was given: ids by tags. */
async function loadedBy(node: NodeNetwork): Promise<Record<string, string>> {
  const text = await readFile(listOf(node), "utf8").catch(() => "{}");
  return JSON.parse(text) as Record<string, string>;
}
