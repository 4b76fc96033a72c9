import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
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
  return usable(Object.fromEntries(await Promise.all(read)) as unknown as Files);
}

/** The same before anything is started. @throws as readKeyFiles does */
export function checkKeyFiles(paths: KeyFiles): void {
  const read = Object.entries(paths).map(([kind, path]) => [kind, readFileSync(path, "utf8")]);
  usable(Object.fromEntries(read) as KeyFiles);
}

function usable<Files extends KeyFiles>(files: Files): Files {
  // A file that is being written may be empty, which createSecureContext would accept.
  if (Object.values(files).some((pem: string) => pem.trim() === "")) throw new Error("one of the files is empty");
  createSecureContext(files);
  return files;
}

/** Why a certificate that fits its key is of no use to who checks it; undefined if it is. */
function timeFault({ cert }: KeyFiles): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert);
  if (Date.parse(validTo) < Date.now()) return `it ended ${validTo}`;
  return Date.parse(validFrom) > Date.now() ? `it begins ${validFrom}` : undefined;
}

interface WatchOptions<Files extends KeyFiles> {
  name: string;
  /** The one that names the certificate. */
  variable: string;
  paths: Files;
  /** What they held at the start. */
  first: Files;
  onChange(files: Files): void;
  logger: Logger;
}

/** What was read before stays in use while the files do not fit together: a renewal may replace one before the others. */
export function watchKeyFiles<Files extends KeyFiles>(options: WatchOptions<Files>): PollingTask {
  const { name, variable, paths, onChange, logger } = options;
  let known = options.first;
  let told: string | undefined;
  return new PollingTask({
    name,
    intervalMs,
    logger,
    async run() {
      const files = await readKeyFiles(paths);
      const fault = timeFault(files);
      // It may end while the process runs. Senders mostly take it all the same.
      if (fault && fault !== told) logger.warn({ variable, reason: fault }, "the certificate is out of its time");
      told = fault;
      if (isDeepStrictEqual(files, known)) return false;
      known = files;
      onChange(files);
      logger.info({ task: name }, "renewed certificate taken up");
      return false;
    },
  });
}
