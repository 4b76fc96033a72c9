import { binaryArray } from "../db/binary-values.ts";
import type { Database } from "../db/types.ts";

/** What the row of a blob says. */
export interface BlobRow {
  id: string;
  size: number;
  /** Where they are in the row itself. */
  bytes: Buffer | null;
  isInBucket: boolean;
  /** The segment that they are in, and where; both null for all others. */
  segment: number | null;
  segmentOffset: number | null;
}

/** Up to so many bytes come with the rest of the row, as hexadecimal text; what is larger is worth a statement that gives it in binary. */
const smallBytes = 16 * 1024;
const idBytes = 16;

/** The blobs of these ids, in their order; undefined for what is not attached, or no longer. */
export async function lookUpBlobs(db: Database, ids: readonly string[]): Promise<(BlobRow | undefined)[]> {
  const { rows } = await db.query<BlobRow & { isLarge: boolean }>(
    `select id, size_bytes as size, is_in_bucket, segment, segment_offset, case when size_bytes <= $2 then bytes end as bytes,
       bytes is not null and size_bytes > $2 as is_large
     from blob where id = any ($1::uuid[]) and unattached_since is null`,
    [binaryArray("uuid", ids), smallBytes],
    { name: "open blobs" },
  );
  const large = rows.filter(({ isLarge }) => isLarge).map(({ id }) => id);
  const largeBytes = large.length > 0 ? await readLarge(db, large) : new Map<string, Buffer>();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((given) => {
    const row = byId.get(given.toLowerCase());
    if (!row?.isLarge) return row;
    const bytes = largeBytes.get(hexOf(row.id));
    // Removed since the row was read.
    return bytes && { ...row, bytes };
  });
}

/** By the digits of their ids. */
async function readLarge(db: Database, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const found = await db.copyBytea(
    "select uuid_send(id) || bytes from blob where id = any ($1) and unattached_since is null",
    [`{${ids.join(",")}}`],
  );
  return new Map(found.map((octets) => [octets.toString("hex", 0, idBytes), octets.subarray(idBytes)]));
}

function hexOf(id: string): string {
  return id.replaceAll("-", "");
}
