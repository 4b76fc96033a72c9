import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { SmtpClient } from "./smtp.ts";

const lineBytes = 78;
const linesPerPiece = 1_000;
/** Long enough for all that is put on top of a message. */
const searchedBytes = 64 * 1024;

/** Pieces of a body that differ, so that one in a wrong place shows. */
const pieces = Array.from({ length: 7 }, (_, piece) =>
  Buffer.from(
    Array.from(
      { length: linesPerPiece },
      (_, line) => `${`${piece}-${line} `.repeat(20).slice(0, lineBytes - 2)}\r\n`,
    ).join(""),
  ),
);

export interface SentMail {
  reply: string;
  /** SHA-256 over the message, hexadecimal. */
  digest: string;
}

/** Sends a message of some size, one piece at a time. */
export async function sendLong(port: number, recipient: string, name: string, sizeBytes: number): Promise<SentMail> {
  const client = await SmtpClient.open(port);
  for (const command of ["MAIL FROM:<author@example.org>", `RCPT TO:<${recipient}>`, "DATA"])
    await client.command(command);
  const digest = createHash("sha256");
  await client.sendPieces(message());
  const reply = await client.command(".");
  client.destroy();
  return { reply, digest: digest.digest("hex") };

  function* message() {
    const header = Buffer.from(`X-Name: ${name}\r\nFrom: author@example.org\r\nSubject: long\r\n\r\n`);
    digest.update(header);
    yield header;
    for (let sent = 0, turn = name.length; sent < sizeBytes; turn++) {
      const piece = pieces[turn % pieces.length] as Buffer;
      digest.update(piece);
      yield piece;
      sent += piece.length;
    }
  }
}

/** A next hop that holds nothing of a message but its digest, from its first own field on. */
export class DigestingSink {
  /** By the message's name. */
  readonly digests = new Map<string, string>();
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onData: (stream, _session, done) => {
        this.#take(stream).then(() => done(), done);
      },
    });
    this.#server.on("error", () => undefined);
  }

  static async start(): Promise<DigestingSink> {
    const sink = new DigestingSink();
    await once(sink.#server.listen(0, "127.0.0.1"), "listening");
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #take(stream: AsyncIterable<Buffer>): Promise<void> {
    let beginning: Buffer | undefined = Buffer.alloc(0);
    let name = "";
    let digest: Hash | undefined;
    for await (const chunk of stream) {
      digest?.update(chunk);
      if (!beginning) continue;
      beginning = Buffer.concat([beginning, chunk]);
      const found = /^X-Name: (.+)\r\n/m.exec(beginning.toString("latin1", 0, searchedBytes));
      if (!found) continue;
      name = found[1] ?? "";
      digest = createHash("sha256").update(beginning.subarray(found.index));
      beginning = undefined;
    }
    if (digest) this.digests.set(name, digest.digest("hex"));
  }
}
