import { lackingSegments } from "../../platform/blobs/segments/damaged-blobs.ts";
import { SegmentFolder } from "../../platform/blobs/segments/segment-folder.ts";
import type { Installation } from "../installation.ts";
import { type CheckResult, check } from "./check.ts";

const bytesPerMib = 1024 ** 2;

/** The files that messages lie in, beside an embedded database: whether all are there that rows speak of, to their ends. Their contents, `reconcile` reads. */
export async function examineSegments(installation: Installation): Promise<CheckResult[]> {
  if (!installation.isEmbedded()) return [];
  const { DATA_DIR } = installation.settings();
  const look = async () => {
    let count = 0;
    let sizeBytes = 0;
    const lacking: string[] = [];
    for (const { service, db } of await installation.databases()) {
      const folder = new SegmentFolder(DATA_DIR, service);
      lacking.push(...(await lackingSegments(db, folder)).map((number) => `${service}/${number}`));
      for (const number of await folder.numbers()) {
        count += 1;
        sizeBytes += await folder.size(number).catch(() => 0);
      }
    }
    if (lacking.length > 0)
      throw new Error(`gone or cut: ${lacking.join(", ")}; "reconcile" names the emails that they held`);
    return `${count} under DATA_DIR/postgres/segments, ${(sizeBytes / bytesPerMib).toFixed(1)} MiB`;
  };
  return [await check("message files", look)];
}
