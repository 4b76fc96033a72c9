import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { blobsConfig, createBlobStore } from "../../../services/platform/blobs/blob-store.ts";
import { frameHeadBytes } from "../../../services/platform/blobs/segments/frames.ts";
import { SegmentBacking } from "../../../services/platform/blobs/segments/segment-backing.ts";
import { SegmentFolder } from "../../../services/platform/blobs/segments/segment-folder.ts";
import { SegmentUpkeep } from "../../../services/platform/blobs/segments/segment-upkeep.ts";
import type { BlobStore } from "../../../services/platform/blobs/types.ts";
import { loadConfig } from "../../../services/platform/config.ts";
import { hourMs } from "../../../services/platform/durations.ts";
import { patterned, pieces } from "../../support/bytes.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../support/peers/database.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

/** Of a blob, where nothing else is said. */
export const sizeBytes = 100 * 1024;
export const frameBytes = frameHeadBytes + sizeBytes;

/** A blob store with message files as one process has it. */
class SegmentedStore {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly folder: SegmentFolder;
  upkeep: SegmentUpkeep;
  blobs: BlobStore;

  private constructor(database: TestDatabase, dataDir: string, folder: SegmentFolder, upkeep: SegmentUpkeep) {
    this.database = database;
    this.dataDir = dataDir;
    this.folder = folder;
    this.upkeep = upkeep;
    this.blobs = this.#blobs();
  }

  static async start(database: TestDatabase): Promise<SegmentedStore> {
    const dataDir = await mkdtemp(join(tmpdir(), "postern-segments-"));
    const folder = new SegmentFolder(dataDir, "ingress");
    const options = { db: database, folder, logger: silentLogger, isWritten: true };
    return new SegmentedStore(database, dataDir, folder, await SegmentUpkeep.start(options));
  }

  #blobs(): BlobStore {
    const segments = new SegmentBacking(this.folder, this.upkeep.writer);
    return createBlobStore({ db: this.database, config: loadConfig(blobsConfig, {}), logger: silentLogger, segments });
  }

  /** As a process begins after one that was killed: with the files as they are, and nothing in memory. */
  async startAgain({ isWritten = true } = {}): Promise<void> {
    await this.upkeep.close();
    const { database: db, folder } = this;
    this.upkeep = await SegmentUpkeep.start({ db, folder, logger: silentLogger, isWritten });
    this.blobs = this.#blobs();
  }

  /** The id of a new blob that is read soon. */
  async attached(size = sizeBytes): Promise<string> {
    const blob = await this.blobs.prepare(pieces(patterned(size), 10_000));
    await this.database.tx((tx) => this.blobs.attach(tx, [blob], { expectedReads: [1] }));
    return blob.id;
  }

  remove(...ids: string[]): Promise<void> {
    return this.database.tx((tx) => this.blobs.remove(tx, ids));
  }

  async expectWhole(id: string, size = sizeBytes): Promise<void> {
    expect((await buffer(await this.blobs.open(id))).equals(patterned(size))).toBe(true);
  }

  /** Null for one that is in its row. */
  async segmentOf(id: string): Promise<number | null | undefined> {
    const { rows } = await this.database.query<{ segment: number | null }>("select segment from blob where id = $1", [
      id,
    ]);
    return rows[0]?.segment;
  }

  path(name: number | string): string {
    const file = typeof name === "number" ? `${String(name).padStart(10, "0")}.segment` : name;
    return join(this.dataDir, "postgres", "segments", "ingress", file);
  }

  async damaged(): Promise<string[]> {
    return (await this.blobs.lostBlobs({ after: null, before: new Date(Date.now() + hourMs) })).found;
  }

  /** Moves what has been there for long. */
  moveOld(): Promise<void> {
    return this.upkeep.moveOld(AbortSignal.timeout(hourMs));
  }

  /** As if it had been written to last so many hours ago. */
  async age(number: number, hours: number): Promise<void> {
    const at = new Date(Date.now() - hours * hourMs);
    await utimes(this.path(number), at, at);
  }

  async dispose(): Promise<void> {
    await this.upkeep.close();
    await this.database.query("truncate blob, blob_chunk");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** One for each test of a file, in a database that they share. */
export function storeForEachTest(): () => SegmentedStore {
  let database: TestDatabase;
  let store: SegmentedStore;
  beforeAll(async () => {
    database = await testDatabase({ schema: "ingress" });
  }, peerInstallLimitMs);
  beforeEach(async () => {
    store = await SegmentedStore.start(database);
  });
  afterEach(() => store.dispose());
  afterAll(() => database?.dispose());
  return () => store;
}
