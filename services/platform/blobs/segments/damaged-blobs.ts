import { recordSet } from "../../db/record-set.ts";
import type { Database } from "../../db/types.ts";
import { firstIdAt } from "../../ids.ts";
import type { Found, PageRequest } from "../types.ts";
import { DamagedFrame, type FramedBlob, frameHeadBytes } from "./frames.ts";
import type { SegmentFolder } from "./segment-folder.ts";

const damagedBlobs = recordSet({ id: "uuid", segment: "integer" });

/** Where the last frame ends, in octets, of each segment that rows speak of. */
export async function segmentEnds(db: Database): Promise<Map<number, number>> {
  const { rows } = await db.query<{ segment: number; end: number }>(
    `select segment, max(segment_offset + size_bytes) as "end" from blob where segment is not null group by segment order by segment`,
  );
  return new Map(rows.map(({ segment, end }) => [segment, end + frameHeadBytes]));
}

/** The numbers of segments that are gone or were cut before their end. */
export async function lackingSegments(db: Database, folder: SegmentFolder): Promise<number[]> {
  const lacking: number[] = [];
  for (const [segment, end] of await segmentEnds(db))
    if ((await folder.size(segment).catch(() => 0)) < end) lacking.push(segment);
  if (lacking.length === 0) return [];
  // What was emptied and removed since its rows were read is not missed.
  const still = await segmentEnds(db);
  return lacking.filter((segment) => still.has(segment));
}

/** Blobs that are read in one call. */
const blobsInPage = 200;

/** The ids of blobs that something needs and whose bytes are not in their segment as they were written, a page of rows at a time, by age. */
export async function findDamagedBlobs(
  db: Database,
  folder: SegmentFolder,
  { after, before }: PageRequest,
): Promise<Found<string>> {
  const { rows } = await db.query<FramedBlob>(
    `select id, segment, segment_offset as "offset", size_bytes from blob
      where segment is not null and id > $1 and id < $2 order by id limit $3`,
    [after ?? firstIdAt(new Date(0)), firstIdAt(before), blobsInPage],
  );
  const damaged: FramedBlob[] = [];
  for (const blob of rows) if (!(await isWhole(folder, blob))) damaged.push(blob);
  const next = rows.length < blobsInPage ? null : (rows.at(-1)?.id ?? null);
  return { found: await stillThere(db, damaged), next };
}

async function isWhole(folder: SegmentFolder, blob: FramedBlob): Promise<boolean> {
  try {
    await folder.read(blob);
    return true;
  } catch (error) {
    if (error instanceof DamagedFrame) return false;
    throw error;
  }
}

/** What was removed or moved since its row was read is not missed. */
async function stillThere(db: Database, damaged: readonly FramedBlob[]): Promise<string[]> {
  if (damaged.length === 0) return [];
  const { rows } = await db.query<{ id: string }>(
    `select blob.id from blob join ${damagedBlobs.from("damaged")} using (id, segment) order by blob.id`,
    damagedBlobs.params(damaged),
  );
  return rows.map(({ id }) => id);
}
