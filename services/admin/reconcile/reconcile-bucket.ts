import type { bucketProcedures } from "../../platform/blobs/contract.ts";
import { Outage } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";

const bytesPerMb = 1_000_000;
/** As many are named to people; --json names all. */
const namedLines = 20;

const services = ["ingress", "mailbox"] as const;
type Service = (typeof services)[number];

type Keeper = Client<{ service: Service; procedures: typeof bucketProcedures }>;
/** Those that keep bytes in the bucket. */
type Keepers = Record<Service, Keeper>;

interface LostBlob {
  service: Service;
  blobId: string;
  emailIds: string[];
}

interface Objects {
  count: number;
  sizeBytes: number;
}

/** What the bucket and the rows disagree about. */
export interface BucketDifference {
  lost: LostBlob[];
  stray: Objects;
  /** Of the stray ones. */
  deleted: Objects;
  /** Why it was not compared to its end, for operators. */
  outage: string | undefined;
}

/** ISO 8601 times: what is younger than `before` is left alone, what is older than `deleteBefore` and stray is deleted. */
interface Ages {
  before: string;
  deleteBefore: string | undefined;
}

/** Compares what lies in the bucket with the rows of those that keep bytes there, in both directions, as far as it can be reached. */
export async function compareBucket(keepers: Keepers, { before, deleteBefore }: Ages): Promise<BucketDifference> {
  const lost: LostBlob[] = [];
  const stray = { count: 0, sizeBytes: 0 };
  const deleted = { count: 0, sizeBytes: 0 };
  try {
    for (const service of services) {
      lost.push(...(await lostBlobs(keepers, service, before)));
      await addStray(stray, keepers[service], { before, areDeleted: false });
      if (deleteBefore !== undefined)
        await addStray(deleted, keepers[service], { before: deleteBefore, areDeleted: true });
    }
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return { lost, stray, deleted, outage: error.message };
  }
  return { lost, stray, deleted, outage: undefined };
}

async function lostBlobs(keepers: Keepers, service: Service, before: string): Promise<LostBlob[]> {
  const lost: LostBlob[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Keeper["lostBlobs"]>> = await keepers[service].lostBlobs({ after, before });
    lost.push(...page.blobs.map((blob) => ({ service, ...blob })));
    if (page.next === null) return lost;
    after = page.next;
  }
}

async function addStray(
  sum: Objects,
  keeper: Keeper,
  { before, areDeleted }: { before: string; areDeleted: boolean },
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Keeper["strayObjects"]>> = await keeper.strayObjects({ after, before, areDeleted });
    sum.count += page.found.length;
    for (const { sizeBytes } of page.found) sum.sizeBytes += sizeBytes;
    if (page.next === null) return;
    after = page.next;
  }
}

/** For people. */
export function bucketLines({ lost, stray, deleted, outage }: BucketDifference): string[] {
  const lines: string[] = [];
  if (outage !== undefined) lines.push(`The bucket was not compared to its end: ${outage}`);
  if (lost.length > 0) {
    lines.push(
      `${lost.length} kept messages and attachments whose bytes are missing or damaged (in the bucket, or under DATA_DIR/postgres/segments): nothing is deleted for it`,
    );
    for (const { service, blobId, emailIds } of lost.slice(0, namedLines))
      lines.push(`  ${service}/${blobId}, of ${emailIds.length === 1 ? "email" : "emails"} ${emailIds.join(", ")}`);
    if (lost.length > namedLines) lines.push(`  … ${lost.length - namedLines} more, which --json names`);
  }
  const left = { count: stray.count - deleted.count, sizeBytes: stray.sizeBytes - deleted.sizeBytes };
  if (deleted.count > 0) lines.push(`${described(deleted)} that no row knew: deleted`);
  if (left.count > 0) lines.push(`${described(left)} that no row knows: --delete-objects DAYS deletes the older ones`);
  return lines;
}

function described({ count, sizeBytes }: Objects): string {
  return `${count} objects in the bucket (${(sizeBytes / bytesPerMb).toFixed(1)} MB)`;
}
