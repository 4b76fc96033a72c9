import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Outage, Refusal } from "../../platform/errors.ts";
import type { Outcome, Parcel, Transport } from "./transport.ts";

/** Nothing leaves: each message becomes a file, named by its delivery, so that a repeated delivery is the same file again. */
export class CaptureTransport implements Transport {
  readonly perDomain = Number.POSITIVE_INFINITY;
  readonly #folder: string;

  /** @param folder DATA_DIR/outbound; made when first needed */
  constructor(folder: string) {
    this.#folder = folder;
  }

  destinations(): Iterable<readonly [string, number]> {
    return [];
  }

  async send({ deliveryId, envelope, content }: Parcel): Promise<Outcome> {
    const source = await content.open();
    const aside = join(this.#folder, `.${deliveryId}.part`);
    const path = join(this.#folder, `${deliveryId}.eml`);
    const headers = `X-Envelope-From: ${envelope.sender || "<>"}\r\nX-Envelope-To: ${envelope.recipient}\r\n`;
    try {
      await mkdir(this.#folder, { recursive: true });
      if (!(Symbol.asyncIterator in source)) {
        await writeFile(aside, Buffer.concat([Buffer.from(headers), ...source]));
      } else {
        const file = createWriteStream(aside);
        file.write(headers);
        await pipeline(source, file);
      }
      await rename(aside, path);
    } catch (cause) {
      // What cannot even be removed is no news: the cause says it.
      await rm(aside, { force: true }).catch(() => undefined);
      throw cause instanceof Refusal ? cause : new Outage("the folder of captured mail", { cause });
    }
    return { kind: "delivered", response: `captured as ${deliveryId}.eml`, remote: "capture" };
  }

  async close(): Promise<void> {
    // Nothing is kept open.
  }
}
