import { LRUCache } from "lru-cache";
import type { bindingsContract } from "../../bindings/contract.ts";
import { decodeCharset } from "../../message/coding/charset.ts";
import type { ByteDecoder } from "../../message/coding/decoder.ts";
import { transferDecoder } from "../../message/coding/transfer-encoding.ts";
import type { MimeEvent } from "../../message/mime/entity.ts";
import { MimeParser } from "../../message/mime/mime-parser.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Forward } from "../deliveries/delivery.ts";
import { withoutEntities } from "./address-search.ts";
import { answerLimits } from "./find-leaks.ts";
import { textLimitBytes } from "./outgoing-body.ts";

export interface NamedRealAddressesOptions {
  db: Database;
  bindings: Pick<Client<typeof bindingsContract>, "realAddresses">;
}

/** How long answers of a binding are looked at more closely after somebody named a real address of its owner's. */
const rememberedDays = 90;
const cachedMs = 30_000;
const maxCached = 10_000;

/**
 * Knows the bindings to which somebody wrote a real address of their owner's in the text of a message. It may be a guess, and how the
 * quotation of it comes back would tell whether it is right: as written where it is wrong, as the proxy address where it is right.
 */
export class NamedRealAddresses {
  readonly #options: NamedRealAddressesOptions;
  readonly #realAddresses = new LRUCache<string, string[]>({ max: maxCached, ttl: cachedMs });
  /** By email id: the targets of an email share one look. */
  readonly #looks = new LRUCache<string, Promise<void>>({ max: maxCached });

  constructor(options: NamedRealAddressesOptions) {
    this.#options = options;
  }

  /** Notes whether a message names one, before it is forwarded: nobody can quote it earlier. @throws Outage */
  note(source: () => AsyncIterable<Buffer>, forward: Forward): Promise<void> {
    const known = this.#looks.get(forward.emailId);
    if (known) return known;
    const look = this.#look(source, forward);
    this.#looks.set(forward.emailId, look);
    look.catch(() => this.#looks.delete(forward.emailId));
    return look;
  }

  /** Whether somebody named one to the binding lately. */
  async isNamed(bindingId: string): Promise<boolean> {
    const { rowCount } = await this.#options.db.query(
      "select from named_real_address where binding_id = $1 and noted_at > now() - make_interval(days => $2)",
      [bindingId, rememberedDays],
      { name: "named_real_address" },
    );
    return rowCount > 0;
  }

  async #look(source: () => AsyncIterable<Buffer>, { bindingId, ownerId }: Forward): Promise<void> {
    const realAddresses = await this.#realAddressesBeside(bindingId);
    if (realAddresses.length === 0 || !(await isInTexts(source(), realAddresses))) return;
    await this.#options.db.query(
      `insert into named_real_address (binding_id, owner_id) values ($1, $2)
       on conflict (binding_id) do update set noted_at = now()`,
      [bindingId, ownerId],
    );
  }

  async #realAddressesBeside(bindingId: string): Promise<string[]> {
    const known = this.#realAddresses.get(bindingId);
    if (known) return known;
    const { addresses } = await this.#options.bindings.realAddresses({ bindingId });
    this.#realAddresses.set(bindingId, addresses);
    return addresses;
  }
}

/** Forgets the bindings to which nobody named any for long. */
export async function pruneNamedRealAddresses(tx: Transaction): Promise<void> {
  await tx.query("delete from named_real_address where noted_at < now() - make_interval(days => $1)", [rememberedDays]);
}

/** Whether a text of the message has one of the addresses where a mail program that quotes it may show it as it is. */
async function isInTexts(message: AsyncIterable<Buffer>, addresses: readonly string[]): Promise<boolean> {
  const search = new TextSearch(addresses);
  for await (const chunk of message) if (search.push(chunk)) return true;
  return search.end();
}

/** Looks through the texts of a message as it streams by. */
class TextSearch {
  readonly #parser = new MimeParser(answerLimits);
  readonly #needles: readonly string[];
  #decoder: ByteDecoder = transferDecoder("");
  #pieces: Buffer[] = [];
  #sizeBytes = 0;

  constructor(addresses: readonly string[]) {
    this.#needles = addresses.map((address) => address.toLowerCase());
  }

  push(chunk: Buffer): boolean {
    return this.#parser.write(chunk).some((event) => this.#isFound(event));
  }

  end(): boolean {
    return this.#parser.end().some((event) => this.#isFound(event));
  }

  #isFound(event: MimeEvent): boolean {
    const { content, isMultipart } = event.entity;
    if (isMultipart || !content.type.startsWith("text/")) return false;
    if (event.kind === "bytes") this.#add(event.bytes);
    if (event.kind === "begin") {
      this.#decoder = transferDecoder(content.transferEncoding);
      [this.#pieces, this.#sizeBytes] = [[], 0];
    }
    if (event.kind !== "end") return false;
    return isShown(Buffer.concat([...this.#pieces, this.#decoder.end()]), content.charset, this.#needles);
  }

  /** No text that is larger is rewritten when it is quoted. */
  #add(bytes: Buffer): void {
    this.#sizeBytes += bytes.length;
    if (this.#sizeBytes <= textLimitBytes) this.#pieces.push(this.#decoder.write(bytes));
  }
}

/** As text, and as what is left of HTML without tags and references: programs quote either. */
function isShown(bytes: Buffer, charset: string | undefined, needles: readonly string[]): boolean {
  const text = (decodeCharset(bytes, charset ?? "") ?? bytes.toString("latin1")).toLowerCase();
  const isIn = (each: string) => needles.some((needle) => each.includes(needle));
  if (isIn(text)) return true;
  const shown = withoutEntities(text.replaceAll(/<[^<>]*>/g, "")).replaceAll(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, "");
  if (shown !== text && isIn(shown)) return true;
  const decoded = text.replaceAll(/%([\da-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decoded !== text && isIn(withoutEntities(decoded));
}
