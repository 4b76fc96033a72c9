import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachedProcess } from "./attached-process.ts";
import { freePorts } from "./free-ports.ts";
import { goProgram } from "./go-program.ts";

const version = "v1.8.0";
const startLimitMs = 120_000;

/** A running S3-compatible store with one empty bucket. */
export interface S3Gateway {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket as a folder: an object's key is a path in it. */
  readonly bucketFolder: string;
  /** After `stop`: again on the same port, with what was kept. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it and removes all. */
  dispose(): Promise<void>;
}

/**
 * Starts Versity's S3 gateway over a folder, built from its Go module into a cache folder once per machine and version.
 * It ends with this process, however that ends.
 * @throws Error saying what is missing and how to get it.
 */
export async function startS3Gateway(): Promise<S3Gateway> {
  const program = await versitygw();
  const folder = await mkdtemp(join(tmpdir(), "postern-s3-"));
  const [port = 0] = await freePorts(1);
  const keys = { accessKeyId: "test-access", secretAccessKey: "test-secret" };
  const bucketFolder = join(folder, "objects", "postern");
  // Buckets are folders, and what belongs to objects beside their bytes is kept apart: not every file system could hold it.
  for (const path of [bucketFolder, join(folder, "meta")]) await mkdir(path, { recursive: true });
  const common = [
    "--access",
    keys.accessKeyId,
    "--secret",
    keys.secretAccessKey,
    "--port",
    `127.0.0.1:${port}`,
    "--quiet",
  ];
  const command = [program, ...common, "posix", "--sidecar", join(folder, "meta"), join(folder, "objects")];
  let running: AttachedProcess;
  const start = async () => {
    running = await AttachedProcess.start("S3 gateway", join(folder, "log"), command);
    await running.ready(() => answers(port), startLimitMs);
  };
  const dispose = async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  };
  await start();
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, bucket: "postern", ...keys, bucketFolder, start, stop: () => running.stop(), dispose };
}

/** Any answer will do: it is "who are you?". */
function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );
}

/** The gateway itself. @throws Error saying how to get it. */
export function versitygw(): Promise<string> {
  return goProgram({
    module: "github.com/versity/versitygw/cmd/versitygw",
    version,
    needed:
      "S3 is tested with Versity's gateway, which is built by Go (Debian: apt-get install golang-go; 1.24 or later)",
  });
}
