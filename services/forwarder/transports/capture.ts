import { createWriteStream } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Outage, ServiceError } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/files.ts";
import type { OutboundMessage, SendResult, Transport } from "./transport.ts";

/** Writes each message to a file instead of sending it, named by its delivery, so that a repeated delivery is the same file. */
export class CaptureTransport implements Transport {
  readonly maxPerDomain = Number.POSITIVE_INFINITY;
  readonly maxPerOwner = Number.POSITIVE_INFINITY;
  readonly #folder: string;

  /** @param folder DATA_DIR/outbound; made when first needed */
  constructor(folder: string) {
    this.#folder = folder;
  }

  busySessions(): Iterable<readonly [string, number]> {
    return [];
  }

  async send({ deliveryId, envelope, content }: OutboundMessage): Promise<SendResult> {
    const source = await content.open();
    const partial = join(this.#folder, `.${deliveryId}.part`);
    const path = join(this.#folder, `${deliveryId}.eml`);
    const headers = `X-Envelope-From: ${envelope.sender || "<>"}\r\nX-Envelope-To: ${envelope.recipient}\r\n`;
    try {
      await makeFolder(this.#folder);
      if (!(Symbol.asyncIterator in source)) {
        await writeFile(partial, Buffer.concat([Buffer.from(headers), ...source]));
      } else {
        const file = createWriteStream(partial);
        file.write(headers);
        await pipeline(source, file);
      }
      await rename(partial, path);
    } catch (cause) {
      // The first error matters; that the file cannot be removed adds nothing.
      await rm(partial, { force: true }).catch(() => undefined);
      throw cause instanceof ServiceError ? cause : new Outage("the folder of captured mail", { cause });
    }
    return { kind: "delivered", response: `captured as ${deliveryId}.eml`, remote: "capture" };
  }

  async close(): Promise<void> {
    // Nothing is kept open.
  }
}
