import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import { type AuthenticateResult, authenticate } from "mailauth";
import { foldedBody, type HeaderField } from "../../message/header/fields.ts";
import type { HeaderBlock } from "../header-block.ts";
import { type AuthorVerdict, identifiersOf, judgeAuthor, unjudged } from "./author-verdict.ts";
import { type Authors, authorsOf } from "./authors.ts";
import { areBearable, madeBearable } from "./bearable.ts";
import type { Lookups } from "./dns-cache.ts";
import { MessageLookups } from "./message-lookups.ts";
import { type OwnNameClaim, ownNameClaim } from "./own-name.ts";
import { noVerdict, type Verdict, verdictOf } from "./verdict.ts";

/** The envelope and client that a message came by. */
export interface Provenance {
  readonly clientAddress: string;
  readonly clientName: string;
  readonly envelopeSender: string;
}

export interface ExaminationOptions {
  lookups: Lookups;
  /** How long all lookups of one kind may take together, in milliseconds: of keys, of policies, of senders. */
  timeoutMs: number;
  /** The authserv-id (RFC 8601 section 2.5), and what this service signs for. */
  serviceDomain: string;
}

export interface Examined {
  readonly verdict: Verdict;
  readonly authors: Authors;
  /** One for each of the authors' domains. */
  readonly authorVerdicts: readonly AuthorVerdict[];
  readonly ownName: OwnNameClaim;
  /** What kept the message from being judged at all: a fault of ours, and no reason to turn mail away. */
  readonly fault?: unknown;
}

/** Each costs a hash over the body and a lookup: RFC 6376 section 6.1 lets a verifier set a limit. */
const signatureLimit = 20;
/** RFC 8617 section 4.2.1: a chain of more sets fails. */
const arcSetLimit = 50;
const arcNames = new Set(["arc-seal", "arc-message-signature", "arc-authentication-results"]);
/** RFC 5322 section 2.1.1 allows 998; what is longer by far would have to be held in memory to be hashed. */
const lineLimitBytes = 64 * 1024;
const lineFeed = 0x0a;

/** Looks at one message as it passes, and judges who sent it. */
export class Examination implements Disposable {
  readonly #options: ExaminationOptions;
  readonly #provenance: Provenance;
  readonly #header: HeaderBlock;
  readonly #lookups: MessageLookups;
  #signed: { input: PassThrough; result: Promise<AuthenticateResult> } | undefined;

  constructor(options: ExaminationOptions, provenance: Provenance, header: HeaderBlock) {
    this.#options = options;
    this.#provenance = provenance;
    this.#header = header;
    this.#lookups = new MessageLookups(options.lookups, options.timeoutMs);
  }

  /** The message itself, unchanged; `header` has to have seen each chunk before. */
  async *watch(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    const beginning: Buffer[] = [];
    let isBeginning = true;
    let lineBytes = 0;
    try {
      for await (const chunk of source) {
        if (isBeginning) beginning.push(chunk);
        if (isBeginning && this.#header.isComplete) {
          isBeginning = false;
          if (this.#isSigned()) await this.#begin(beginning.splice(0));
        } else if (!isBeginning && this.#signed && lineBytes < lineLimitBytes) {
          await this.#feed(chunk);
        }
        const lastEnd = chunk.lastIndexOf(lineFeed);
        lineBytes = lastEnd < 0 ? lineBytes + chunk.length : chunk.length - lastEnd - 1;
        yield chunk;
      }
    } finally {
      this.#signed?.input.end();
    }
  }

  /** Once all of the message has passed. Never rejects. */
  async conclude(): Promise<Examined> {
    const authors = authorsOf(this.#header.fields);
    const domains = [...new Set(authors.addresses.map(({ domain }) => domain))];
    const { serviceDomain } = this.#options;
    try {
      const result = await (this.#signed?.result ?? this.#authenticate(this.#headerAlone()));
      const identifiers = identifiersOf(result);
      const authorVerdicts = await Promise.all(
        domains.map((domain) => judgeAuthor(domain, identifiers, this.#lookups.resolve)),
      );
      const ownName = ownNameClaim(authors, authorVerdicts, serviceDomain);
      const judged = {
        verdicts: authorVerdicts,
        isUnreadable: authors.isUnreadable,
        mustReplaceFrom: ownName.isUnproved,
      };
      // A chain that was not looked at cannot be vouched for.
      const isArcUnread = this.#hasArc && !this.#isSigned();
      const verdict = { ...verdictOf(result, judged), ...(isArcUnread ? { arc: "fail" } : {}) };
      return { verdict, authors, authorVerdicts, ownName };
    } catch (fault) {
      const ownName = ownNameClaim(authors, domains.map(unjudged), serviceDomain);
      const verdict = { ...noVerdict, mustReplaceFrom: ownName.isUnproved };
      return { verdict, authors, authorVerdicts: [], ownName, fault };
    }
  }

  [Symbol.dispose](): void {
    this.#lookups[Symbol.dispose]();
  }

  /** Whether there are signatures to verify, and no more than can be. */
  #isSigned(): boolean {
    const { fields } = this.#header;
    const count = (wanted: string) => fields.filter(({ name }) => name === wanted).length;
    const signatures = count("dkim-signature");
    if (signatures > signatureLimit || count("arc-seal") > arcSetLimit) return false;
    return (signatures > 0 || this.#hasArc) && areBearable(fields);
  }

  get #hasArc(): boolean {
    return this.#header.fields.some(({ name }) => arcNames.has(name));
  }

  /** Nothing but a signature depends on the body: this is all of a message without one, or with more than can be looked at. */
  #headerAlone(): Buffer {
    if (this.#isSigned()) return asSection(this.#header.fields);
    const unsigned = this.#header.fields.filter(({ name }) => name !== "dkim-signature" && !arcNames.has(name));
    return asSection(madeBearable(unsigned));
  }

  async #begin(chunks: readonly Buffer[]): Promise<void> {
    const input = new PassThrough();
    const result = this.#authenticate(input);
    // It is looked at in `conclude`, if it comes to that.
    result.catch(() => undefined);
    this.#signed = { input, result };
    for (const chunk of chunks) await this.#feed(chunk);
  }

  async #feed(chunk: Buffer): Promise<void> {
    if (!this.#signed || this.#signed.input.write(chunk)) return;
    // A verifier that has failed drains nothing any more.
    await Promise.race([once(this.#signed.input, "drain"), this.#signed.result.catch(() => undefined)]);
  }

  #authenticate(message: Readable | Buffer): Promise<AuthenticateResult> {
    const { clientAddress, clientName, envelopeSender } = this.#provenance;
    return authenticate(message, {
      ip: clientAddress,
      helo: clientName,
      sender: envelopeSender,
      mta: this.#options.serviceDomain,
      resolver: this.#lookups.resolve,
      // Tag lists, rsa-sha1, t=s and altered bodies as the RFCs have them.
      strict: true,
      // Judged for each author: what comes may have several.
      disableDmarc: true,
      disableBimi: true,
    });
  }
}

function asSection(fields: readonly HeaderField[]): Buffer {
  const section = fields.map((field) => `${field.name}:${foldedBody(field)}\r\n`).join("");
  return Buffer.from(`${section}\r\n`, "latin1");
}
