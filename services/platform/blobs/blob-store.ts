import { OutageLog } from "../concurrency/outage-log.ts";
import { type ConfigCheck, type ConfigOf, defineConfig, oneOf, optionalText, optionalUrl, text } from "../config.ts";
import type { Database } from "../db/types.ts";
import { ConfigurationError } from "../errors.ts";
import { type BackgroundTask, PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import { S3Objects } from "./s3.ts";
import { SegmentBacking } from "./segments/segment-backing.ts";
import { SegmentFolder } from "./segments/segment-folder.ts";
import { SegmentUpkeep } from "./segments/segment-upkeep.ts";
import { StoredBlobs } from "./stored-blobs.ts";
import type { BlobStore } from "./types.ts";

export const blobsConfig = defineConfig({
  S3_BUCKET: optionalText("a bucket's name", (given) => /^(?:[\w.-]{3,255}|arn:\S+)$/.test(given))
    .meta({ unset: "in PostgreSQL" })
    .describe("The bucket that messages and attachments are kept in"),
  S3_ENDPOINT: optionalUrl(["http", "https"])
    .meta({ unset: "Amazon S3" })
    .describe("The address of an S3-compatible store"),
  S3_REGION: text("us-east-1", "a region's name", (given) => /^[\w.-]+$/.test(given)).describe("The bucket's region"),
  S3_ACCESS_KEY_ID: optionalText().meta({ unset: "as the AWS SDK finds it" }).describe("The access key for the bucket"),
  S3_SECRET_ACCESS_KEY: optionalText()
    .meta({ unset: "as the AWS SDK finds it" })
    .describe("The secret of S3_ACCESS_KEY_ID"),
  S3_PREFIX: text("").describe("A prefix of the names of all objects, so that a bucket can be shared"),
  MESSAGE_FILES: oneOf(["on", "off"], "on").describe(
    "Whether one process on its embedded PostgreSQL keeps messages of 64 to 256 KiB in files under DATA_DIR/postgres/segments while they are on their way; when off, what is there moves into PostgreSQL. Nothing to others",
  ),
});

const keysFault = "S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: expected both or neither";

/** Half of a pair of keys, and a store without a bucket, in which nothing would be kept. */
export const blobsCheck: ConfigCheck = (config) => {
  const faults: string[] = [];
  const isGiven = (name: string) => config[name] !== undefined;
  const keys = ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].filter(isGiven);
  if (keys.length === 1) faults.push(keysFault);
  const [beside] = ["S3_ENDPOINT", ...keys].filter(isGiven);
  // One that is wrong by itself is absent.
  if (beside && "S3_BUCKET" in config && !isGiven("S3_BUCKET"))
    faults.push(`S3_BUCKET: is not set; expected beside ${beside}, or neither`);
  return faults;
};

interface BlobStoreOptions {
  db: Database;
  config: ConfigOf<typeof blobsConfig>;
  logger: Logger;
}

interface OpenedOptions extends BlobStoreOptions {
  /** The DATA_DIR of an embedded PostgreSQL, beside which files are as safe. */
  dataDir: string | undefined;
  /** Another process has the files, or may have them: they are only read. */
  isReader: boolean;
  /** Whether the bucket, if there is one, is looked at in time: for one service of a process. */
  probesBucket: boolean;
}

/** A service's blobs, and their background tasks. */
interface OpenedBlobStore {
  blobs: BlobStore;
  tasks: readonly BackgroundTask[];
  close(): Promise<void>;
}

/** The blobs of one service: in its schema, or in a bucket or in files with its schema knowing of them. */
export async function openBlobStore({
  dataDir,
  isReader,
  probesBucket,
  ...options
}: OpenedOptions): Promise<OpenedBlobStore> {
  const { db, config, logger } = options;
  const folder = dataDir === undefined ? undefined : new SegmentFolder(dataDir, db.schema);
  const isWritten = config.MESSAGE_FILES === "on" && config.S3_BUCKET === undefined;
  const upkeep = folder && !isReader ? await SegmentUpkeep.start({ db, folder, logger, isWritten }) : undefined;
  const blobs = createBlobStore({ ...options, segments: folder && new SegmentBacking(folder, upkeep?.writer) });
  const probe =
    probesBucket && config.S3_BUCKET ? [bucketProbe(bucket(config.S3_BUCKET, config, db.schema), logger)] : [];
  const tasks = [blobSweep(blobs, logger), ...probe, ...(upkeep ? upkeepTasks(upkeep, logger) : [])];
  return { blobs, tasks, close: async () => upkeep?.close() };
}

/** Without background tasks. Exported for tests. */
export function createBlobStore(options: BlobStoreOptions & { segments?: SegmentBacking | undefined }): BlobStore {
  const { db, config, logger, segments } = options;
  const objects = config.S3_BUCKET ? bucket(config.S3_BUCKET, config, db.schema) : undefined;
  return new StoredBlobs({ db, logger, bucket: objects, segments });
}

function bucket(name: string, config: ConfigOf<typeof blobsConfig>, schema: string): S3Objects {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new ConfigurationError([keysFault]);
  }
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_PREFIX: prefix } = config;
  return new S3Objects({ endpoint, region, bucket: name, accessKeyId, secretAccessKey, prefix }, schema);
}

const probeIntervalMs = 5_000;

/** Uses the bucket before the first large message does, until that succeeds once: so wrong keys are known at the start. */
function bucketProbe(objects: S3Objects, logger: Logger): BackgroundTask {
  const outage = new OutageLog({
    logger,
    lost: "the bucket cannot be used: large messages wait with their senders",
    back: "the bucket can be used",
  });
  const run = async () => {
    try {
      await objects.probe();
      outage.over();
      void probe.stop();
    } catch (error) {
      outage.met(error);
    }
    return false;
  };
  const probe = new PollingTask({ name: "bucket-probe", intervalMs: probeIntervalMs, logger, run });
  return probe;
}

const sweepIntervalMs = 10 * 60_000;

/** Drops what no service has come to need, every ten minutes. Any number of processes may do so at once. */
function blobSweep(blobs: BlobStore, logger: Logger): BackgroundTask {
  const run = async () => {
    await blobs.sweep();
    return false;
  };
  return new PollingTask({ name: "blob-sweep", intervalMs: sweepIntervalMs, logger, run });
}

/** At 100 MB/s a segment fills six times a second, and is seldom needed for longer. */
const removalIntervalMs = 5_000;
const moveIntervalMs = 10 * 60_000;

function upkeepTasks(upkeep: SegmentUpkeep, logger: Logger): BackgroundTask[] {
  const remove = async () => {
    await upkeep.removeUnneeded();
    return false;
  };
  const move = async (signal: AbortSignal) => {
    await upkeep.moveOld(signal);
    return false;
  };
  return [
    new PollingTask({ name: "segment-removal", intervalMs: removalIntervalMs, logger, run: remove }),
    new PollingTask({ name: "segment-move", intervalMs: moveIntervalMs, logger, run: move }),
  ];
}
