import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Docker } from "../containers/docker.ts";
import { buildImages, buildTargets } from "../containers/images.ts";
import { versitygw } from "../peers/versitygw.ts";
import { collector, jaeger } from "./programs.ts";

/** Of the targets of scripts/offline/Dockerfile. Exported for tests. */
export const offlineImages = {
  bucket: "postern.local/versitygw:1",
  collector: "postern.local/collector:1",
  jaeger: "postern.local/jaeger:1",
  prometheus: "postern.local/prometheus:1",
} as const;

/** The images that compose.yaml and compose.offline.yaml name together. */
export async function buildOfflineImages(docker: Docker, say: (line: string) => void): Promise<void> {
  await buildImages(docker, say);
  const folder = await mkdtemp(join(tmpdir(), "postern-offline-"));
  try {
    await cp(join(import.meta.dirname, "Dockerfile"), join(folder, "Dockerfile"));
    await cp(await versitygw(), join(folder, "versitygw"));
    await cp(await collector(say), join(folder, "collector"));
    await cp(await jaeger(say), join(folder, "jaeger"));
    await buildTargets(docker, folder, offlineImages, say);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
