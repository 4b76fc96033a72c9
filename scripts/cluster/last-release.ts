import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildPostern } from "../containers/images.ts";
import { clusterFolder } from "../containers/places.ts";
import { releases, unpackRelease } from "../release/releases.ts";
import { provideImages } from "./node-images.ts";

export interface ReleasedChart {
  version: string;
  /** What every node has. */
  image: string;
  /** The folder of its chart. */
  chart: string;
}

/** The last release: its image, built of what the repository has of it, and its chart. */
export async function provideLastRelease(say: (line: string) => void): Promise<ReleasedChart> {
  const release = (await releases()).at(-1);
  if (!release) throw new Error("there is no release");
  const folder = join(clusterFolder, "last-release");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await unpackRelease(release, folder);
  const image = `postern.local/postern:${release.version}`;
  say(`building ${image} by its Dockerfile`);
  await provideImages(async (docker) => new Map([[image, await buildPostern(docker, image, folder)]]));
  return { version: release.version, image, chart: join(folder, "charts/postern") };
}
