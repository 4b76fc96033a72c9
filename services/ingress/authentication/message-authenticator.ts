import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import { foldedBody, type HeaderField } from "../../message/header/fields.ts";
import type { HeaderCollector } from "../receiving/header-collector.ts";
import { signaturesOf, type VerifiedSignature } from "./author-proof.ts";
import { type AuthorVerdict, evaluateAuthor, type Identifiers, identifiersOf, unevaluated } from "./author-verdict.ts";
import { type Authors, authorsOf } from "./authors.ts";
import type { DmarcResults } from "./dmarc-results.ts";
import type { Lookups } from "./dns-cache.ts";
import { MessageLookups } from "./message-lookups.ts";
import { type OwnNameUse, ownNameUse } from "./own-name-use.ts";
import type { SenderIdentity, SpfResults } from "./spf-results.ts";
import { noVerdict, type Verdict, verdictOf } from "./verdict.ts";
import { areSafeForVerifier } from "./verifier-limits.ts";
import { type VerificationResult, verifyMessage } from "./verify-message.ts";
import { type Vouching, vouchingOf } from "./vouching.ts";

export interface AuthenticatorOptions {
  lookups: Lookups;
  spf: SpfResults;
  dmarc: DmarcResults;
  /** The time for all lookups of one kind (keys, policies, senders) together, in milliseconds. */
  timeoutMs: number;
  /** The authserv-id (RFC 8601 section 2.5), and what this service signs for. */
  serviceDomain: string;
}

export interface MessageAuthentication {
  readonly verdict: Verdict;
  readonly authors: Authors;
  /** One for each of the authors' domains. */
  readonly authorVerdicts: readonly AuthorVerdict[];
  readonly ownName: OwnNameUse;
  readonly signatures: readonly VerifiedSignature[];
  readonly spf: Identifiers["spf"];
  readonly vouching?: Vouching | undefined;
  /** An unexpected error of the verifier. */
  readonly fault?: unknown;
}

/** Each costs a hash over the body and a lookup; RFC 6376 section 6.1 allows verifiers a limit. */
const signatureLimit = 20;
/** RFC 8617 section 4.2.1: a chain of more sets fails. */
const arcSetLimit = 50;
const arcNames = new Set(["arc-seal", "arc-message-signature", "arc-authentication-results"]);
/** RFC 5322 section 2.1.1 allows 998. The verifier holds a line in memory until its end. */
const lineLimitBytes = 64 * 1024;
const lineFeed = 0x0a;

/** Evaluates SPF, DKIM, ARC and DMARC of one message while it is read. */
export class MessageAuthenticator implements Disposable {
  readonly #options: AuthenticatorOptions;
  readonly #identity: SenderIdentity;
  readonly #header: HeaderCollector;
  readonly #lookups: MessageLookups;
  #verifier: { input: PassThrough; result: Promise<VerificationResult> } | undefined;

  constructor(options: AuthenticatorOptions, identity: SenderIdentity, header: HeaderCollector) {
    this.#options = options;
    this.#identity = identity;
    this.#header = header;
    this.#lookups = new MessageLookups(options.lookups, options.timeoutMs);
  }

  /** Passes the message through unchanged; `header` must have collected each chunk before. */
  async *read(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    const beginning: Buffer[] = [];
    let isBeginning = true;
    let lineBytes = 0;
    try {
      for await (const chunk of source) {
        if (isBeginning) beginning.push(chunk);
        if (isBeginning && this.#header.isComplete) {
          isBeginning = false;
          if (this.#isVerifiable()) await this.#startVerifier(beginning.splice(0));
        } else if (!isBeginning && this.#verifier && lineBytes < lineLimitBytes) {
          await this.#writeToVerifier(chunk);
        }
        const lastEnd = chunk.lastIndexOf(lineFeed);
        lineBytes = lastEnd < 0 ? lineBytes + chunk.length : chunk.length - lastEnd - 1;
        yield chunk;
      }
    } finally {
      this.#verifier?.input.end();
    }
  }

  /**
   * After the message was read to its end. Never rejects.
   * @param ownDomains accounts' own domains that its recipients are on: we may sign for them as well
   */
  async result(ownDomains: readonly string[] = []): Promise<MessageAuthentication> {
    const authors = authorsOf(this.#header.fields);
    const domains = [...new Set(authors.addresses.map(({ domain }) => domain))];
    const { serviceDomain, dmarc } = this.#options;
    try {
      const result = await (this.#verifier?.result ?? this.#authenticate(this.#headerAlone()));
      const identifiers = identifiersOf(result);
      const authorVerdicts = await Promise.all(
        domains.map((domain) => evaluateAuthor(domain, identifiers, { dmarc, resolver: this.#lookups.resolve })),
      );
      const ownName = ownNameUse(authors, authorVerdicts, serviceDomain, ownDomains);
      const evaluated = {
        verdicts: authorVerdicts,
        isUnreadable: authors.isUnreadable,
        mustReplaceFrom: ownName.isUnproved,
      };
      // A chain that was not evaluated cannot be continued as valid.
      const isArcUnread = this.#hasArc && !this.#isVerifiable();
      const verdict = { ...verdictOf(result, evaluated), ...(isArcUnread ? { arc: "fail" } : {}) };
      const { spf } = identifiers;
      return {
        verdict,
        authors,
        authorVerdicts,
        ownName,
        signatures: signaturesOf(result),
        spf,
        vouching: vouchingOf(result),
      };
    } catch (fault) {
      const authorVerdicts = domains.map(unevaluated);
      const ownName = ownNameUse(authors, authorVerdicts, serviceDomain, ownDomains);
      const verdict = { ...noVerdict, mustReplaceFrom: ownName.isUnproved };
      return { verdict, authors, authorVerdicts, ownName, signatures: [], spf: undefined, fault };
    }
  }

  [Symbol.dispose](): void {
    this.#lookups[Symbol.dispose]();
  }

  /** Whether there are signatures to verify, and not too many. */
  #isVerifiable(): boolean {
    const { fields } = this.#header;
    const count = (wanted: string) => fields.filter(({ name }) => name === wanted).length;
    const signatures = count("dkim-signature");
    if (signatures > signatureLimit || count("arc-seal") > arcSetLimit) return false;
    return (signatures > 0 || this.#hasArc) && areSafeForVerifier(fields);
  }

  get #hasArc(): boolean {
    return this.#header.fields.some(({ name }) => arcNames.has(name));
  }

  /** The header of a message that ended within it; undefined where there are no signatures, or they do not count. */
  #headerAlone(): Buffer | undefined {
    return this.#isVerifiable() ? asSection(this.#header.fields) : undefined;
  }

  async #startVerifier(chunks: readonly Buffer[]): Promise<void> {
    const input = new PassThrough();
    const result = this.#authenticate(input);
    // Rejections are handled in `result`.
    result.catch(() => undefined);
    this.#verifier = { input, result };
    for (const chunk of chunks) await this.#writeToVerifier(chunk);
  }

  async #writeToVerifier(chunk: Buffer): Promise<void> {
    if (!this.#verifier || this.#verifier.input.write(chunk)) return;
    // After an error the verifier never drains.
    await Promise.race([once(this.#verifier.input, "drain"), this.#verifier.result.catch(() => undefined)]);
  }

  /** Without DMARC, which evaluateAuthor evaluates for each author. */
  #authenticate(message: Readable | Buffer | undefined): Promise<VerificationResult> {
    const { spf, serviceDomain } = this.#options;
    return verifyMessage(message, this.#identity, { resolver: this.#lookups.resolve, spf, serviceDomain });
  }
}

function asSection(fields: readonly HeaderField[]): Buffer {
  const section = fields.map((field) => `${field.name}:${foldedBody(field)}\r\n`).join("");
  return Buffer.from(`${section}\r\n`, "latin1");
}
