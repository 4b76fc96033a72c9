import { randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { frameHeadBytes } from "../../services/platform/blobs/segments/frames.ts";
import type { Installation } from "../support/installation/installation.ts";
import { asSuperuser } from "../support/peers/database.ts";

const lineLength = 76;
/** 100 kB that do not compress. */
const body = (
  randomBytes(75_000)
    .toString("base64")
    .match(new RegExp(`.{1,${lineLength}}`, "g")) ?? []
).join("\r\n");

/** A message of a size that goes into files. */
export function largeMessage(marker: string): string {
  return `From: Jack <jack@example.com>\r\nSubject: ${marker}\r\n\r\n${body}\r\n`;
}

/** Whether a message is whole that `largeMessage` made. */
export function isWholeMessage(bytes: Buffer): boolean {
  return bytes.includes(`\r\n\r\n${body}\r\n`);
}

/** Where ingress has its message files. */
function messageFolder({ dataDir }: Installation): string {
  return join(dataDir, "postgres", "segments", "ingress");
}

/** Sizes by path of the message files that are there. */
export async function messageFiles(installation: Installation): Promise<Map<string, number>> {
  const folder = messageFolder(installation);
  const paths = (await readdir(folder).catch(() => [])).sort().map((name) => join(folder, name));
  return new Map(await Promise.all(paths.map(async (path) => [path, (await stat(path)).size] as const)));
}

/** The paths of message files that have these words somewhere. */
export async function filesWith(installation: Installation, words: string): Promise<string[]> {
  const paths = [...(await messageFiles(installation)).keys()];
  const found = await Promise.all(paths.map(async (path) => ((await readFile(path)).includes(words) ? [path] : [])));
  return found.flat();
}

/** What rows say of blobs in message files, and where each file ends by them. */
export async function framedRows(installation: Installation) {
  const rows = await asSuperuser<{ id: string; segment: number; offset: number; sizeBytes: number }>(
    await installation.databaseUrl(),
    `select id, segment, segment_offset as "offset", size_bytes::int as size_bytes from ingress.blob
      where segment is not null order by segment, segment_offset`,
  );
  const ends = new Map<string, number>();
  for (const { segment, offset, sizeBytes } of rows)
    ends.set(
      join(messageFolder(installation), `${String(segment).padStart(10, "0")}.segment`),
      offset + sizeBytes + frameHeadBytes,
    );
  return { rows, ends };
}
