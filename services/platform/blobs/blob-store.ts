import { type ConfigOf, defineConfig, optionalText, optionalUrl, text } from "../config.ts";
import type { Database } from "../db/types.ts";
import { ConfigurationError } from "../errors.ts";
import { type BackgroundTask, PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import { S3Objects } from "./s3.ts";
import { StoredBlobs } from "./stored-blobs.ts";
import type { BlobStore } from "./types.ts";

export const blobsConfig = defineConfig({
  S3_BUCKET: optionalText("a bucket's name")
    .meta({ unset: "in PostgreSQL" })
    .describe("The bucket that messages and attachments are kept in"),
  S3_ENDPOINT: optionalUrl(["http", "https"])
    .meta({ unset: "Amazon S3" })
    .describe("The address of an S3-compatible store"),
  S3_REGION: text("us-east-1").describe("The bucket's region"),
  S3_ACCESS_KEY_ID: optionalText().meta({ unset: "as the AWS SDK finds it" }).describe("The access key for the bucket"),
  S3_SECRET_ACCESS_KEY: optionalText()
    .meta({ unset: "as the AWS SDK finds it" })
    .describe("The secret of S3_ACCESS_KEY_ID"),
  S3_PREFIX: text("").describe("A prefix of the names of all objects, so that a bucket can be shared"),
});

interface BlobStoreOptions {
  db: Database;
  config: ConfigOf<typeof blobsConfig>;
  logger: Logger;
}

/** The blobs of one service: in its schema, or in a bucket with its schema knowing of them. */
export function createBlobStore({ db, config, logger }: BlobStoreOptions): BlobStore {
  return new StoredBlobs({
    db,
    logger,
    bucket: config.S3_BUCKET ? bucket(config.S3_BUCKET, config, db.schema) : undefined,
  });
}

function bucket(name: string, config: ConfigOf<typeof blobsConfig>, schema: string): S3Objects {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new ConfigurationError(["S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: expected both or neither"]);
  }
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_PREFIX: prefix } = config;
  return new S3Objects({ endpoint, region, bucket: name, accessKeyId, secretAccessKey, prefix }, schema);
}

const sweepIntervalMs = 10 * 60_000;

/** Drops what no service has come to need, every ten minutes. Any number of processes may do so at once. */
export function blobSweep(blobs: BlobStore, logger: Logger): BackgroundTask {
  const run = async () => {
    await blobs.sweep();
    return false;
  };
  return new PollingTask({ name: "blob-sweep", intervalMs: sweepIntervalMs, logger, run });
}
