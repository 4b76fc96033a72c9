import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";

/** A private key, its certificate with its chain, and perhaps the authority of peers: paths of PEM files, or what these hold. */
export interface KeyFiles {
  readonly key: string;
  readonly cert: string;
  readonly ca?: string;
}

/** How often files are looked at. */
const intervalMs = 10_000;

/** @throws Error if one is missing or empty, or key and certificate do not belong together. */
export async function readKeyFiles<Files extends KeyFiles>(paths: Files): Promise<Files> {
  const read = Object.entries(paths).map(async ([kind, path]) => [kind, await readFile(path, "utf8")] as const);
  const texts = await Promise.all(read);
  // A file that is being written may be empty, which createSecureContext would accept.
  if (texts.some(([, pem]) => pem.trim() === "")) throw new Error("one of the files is empty");
  const files = Object.fromEntries(texts) as unknown as Files;
  createSecureContext(files);
  return files;
}

interface WatchOptions<Files extends KeyFiles> {
  name: string;
  paths: Files;
  /** What they held at the start. */
  first: Files;
  onChange(files: Files): void;
  logger: Logger;
}

/** What was read before stays in use while the files do not fit together: a renewal may replace one before the others. */
export function watchKeyFiles<Files extends KeyFiles>(options: WatchOptions<Files>): PollingTask {
  const { name, paths, onChange, logger } = options;
  let known = options.first;
  return new PollingTask({
    name,
    intervalMs,
    logger,
    async run() {
      const files = await readKeyFiles(paths);
      if (isDeepStrictEqual(files, known)) return false;
      known = files;
      onChange(files);
      logger.info({ task: name }, "renewed certificate taken up");
      return false;
    },
  });
}
