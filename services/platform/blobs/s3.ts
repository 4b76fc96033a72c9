import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { messageOf, Outage } from "../errors.ts";
import type { BucketObject, ListedBacking } from "./backing.ts";
import { withSpooled } from "./spool.ts";

interface S3Settings {
  /** Absent: Amazon's own, by region. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  /** Both absent: as the SDK finds them (instance or pod identity, its own variables). */
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  /** What keys begin with; after it come the schema and the blob's id. */
  prefix: string;
}

const probeMs = 5_000;

type Sdk = typeof import("@aws-sdk/client-s3");

/** Bytes in a bucket: an object for each blob. */
export class S3Objects implements ListedBacking {
  readonly #settings: S3Settings;
  readonly #folder: string;
  #opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

  constructor(settings: S3Settings, schema: string) {
    this.#settings = settings;
    this.#folder = `${settings.prefix}${schema}/`;
  }

  write(id: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    return withSpooled(chunks, async ({ body, sizeBytes, md5 }) => {
      const { sdk, client } = await this.#open();
      const put = new sdk.PutObjectCommand({
        ...this.#object(id),
        Body: body as Readable,
        ContentLength: sizeBytes,
        ContentMD5: md5,
      });
      await this.#asked(client.send(put));
    });
  }

  /** What the store refuses is as much an outage as its silence: wrong keys, a missing bucket or object are the operator's. */
  #asked<T>(request: Promise<T>): Promise<T> {
    return request.catch((cause: Error) => {
      const { bucket, endpoint } = this.#settings;
      const place = endpoint === undefined ? "Amazon S3" : new URL(endpoint).host;
      const operator = `S3_BUCKET: ${bucket} at ${place}: ${cause.name}: ${messageOf(cause)}`;
      throw new Outage("blob store", { cause, operator });
    });
  }

  async read(id: string, sizeBytes: number): Promise<Readable> {
    const { sdk, client } = await this.#open();
    const { Body: body, ContentLength } = await this.#asked(client.send(new sdk.GetObjectCommand(this.#object(id))));
    if (!(body instanceof Readable) || ContentLength !== sizeBytes)
      throw new Error(`blob ${id} is not whole in the bucket`);
    return Readable.from(passedOn(body), { objectMode: false });
  }

  async delete(ids: readonly string[]): Promise<void> {
    const { sdk, client } = await this.#open();
    const { Bucket } = this.#object("");
    const Delete = { Objects: ids.map((id) => ({ Key: this.#object(id).Key })), Quiet: true };
    const { Errors = [] } = await this.#asked(client.send(new sdk.DeleteObjectsCommand({ Bucket, Delete })));
    const [first] = Errors;
    if (first) throw new Outage("blob store", { operator: `${first.Code} for ${first.Key}: ${first.Message}` });
  }

  /**
   * Asks for what every service may that has something there, and which changes nothing: to delete what is not there.
   * @throws Outage, also of a store that has not answered after some seconds
   */
  async probe(): Promise<void> {
    const given = new AbortController();
    const silence = delay(probeMs, undefined, { ref: false, signal: given.signal }).then(() =>
      this.#asked(Promise.reject(new Error(`no answer within ${probeMs / 1_000} s`))),
    );
    silence.catch(() => undefined);
    await Promise.race([this.delete(["probe"]), silence]).finally(() => given.abort());
  }

  async list(after: string | null): Promise<{ objects: BucketObject[]; next: string | null }> {
    const { sdk, client } = await this.#open();
    const { Bucket } = this.#object("");
    const StartAfter = after === null ? undefined : this.#object(after).Key;
    const page = new sdk.ListObjectsV2Command({ Bucket, Prefix: this.#folder, StartAfter });
    const { Contents = [], IsTruncated } = await this.#asked(client.send(page));
    const objects = Contents.map(({ Key = "", Size = 0, LastModified = new Date() }) => {
      return { id: Key.slice(this.#folder.length), sizeBytes: Size, modifiedAt: LastModified };
      // What some programs put there for a folder.
    }).filter(({ id }) => id !== "");
    // What is asked for by the last name has to come in the order of names.
    if (objects.some(({ id }, at) => id <= (objects[at - 1]?.id ?? after ?? "")))
      throw new Outage("blob store", { operator: "the bucket does not list its objects in the order of their names" });
    return { objects, next: IsTruncated ? (objects.at(-1)?.id ?? null) : null };
  }

  #object(id: string) {
    return { Bucket: this.#settings.bucket, Key: `${this.#folder}${id}` };
  }

  /** Loaded with the first use: most installations never need the SDK. */
  #open() {
    this.#opened ??= import("@aws-sdk/client-s3").then((sdk) => ({ sdk, client: newClient(sdk, this.#settings) }));
    return this.#opened;
  }
}

function newClient({ S3Client }: Sdk, { endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    endpoint,
    region,
    // Stores other than Amazon's seldom have a name for each bucket.
    forcePathStyle: endpoint !== undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    // Content-MD5 goes along: the newer checksums are not known everywhere.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
  });
}

async function* passedOn(body: Readable): AsyncGenerator<Buffer, void> {
  try {
    for await (const piece of body) yield piece;
  } catch (cause) {
    throw new Outage("blob store", { cause });
  }
}
