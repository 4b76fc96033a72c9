import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export interface CapturedMail {
  /** The delivery's id. */
  name: string;
  envelopeFrom: string;
  envelopeTo: string;
  /** The message as it left, without the two envelope lines. */
  message: Buffer;
}

/** By path. A file has its name once it is whole, and is not changed then: tests that wait for one look at hundreds of others again and again. */
const known = new Map<string, CapturedMail>();

/** What stands in a folder of captured mail, in the order of their ids. */
export async function capturedMail(folder: string): Promise<CapturedMail[]> {
  const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith(".eml")).sort();
  return names.map((name) => {
    const path = join(folder, name);
    const mail = known.get(path) ?? readMail(path, name.slice(0, -".eml".length));
    known.set(path, mail);
    return mail;
  });
}

/** At once: small files take a tenth of the CPU that way. */
function readMail(path: string, name: string): CapturedMail {
  const file = readFileSync(path);
  const bodyAt = file.indexOf("\r\n", file.indexOf("X-Envelope-To:")) + 2;
  const head = file.subarray(0, bodyAt).toString("latin1");
  const field = (of: string) => new RegExp(`^${of}: ?(.*)\r$`, "m").exec(head)?.[1] ?? "";
  return {
    name,
    envelopeFrom: field("X-Envelope-From"),
    envelopeTo: field("X-Envelope-To"),
    message: file.subarray(bodyAt),
  };
}
