import { type HeaderField, headerField, unfoldedBody } from "../../message/header/fields.ts";
import { arcMessageSignature } from "./dkim.ts";
import type { Signable } from "./signable.ts";
import { relaxedField, signatureField } from "./signature-field.ts";
import type { SigningKey } from "./signing-key.ts";

/** RFC 8617 section 4.2.1. */
const maxInstances = 50;

type ChainState = "none" | "pass" | "fail";

export interface ArcOptions {
  readonly domain: string;
  readonly key: SigningKey;
  /** The chain's state as ingress found it; undefined if it was not evaluated. */
  readonly chainState: string | undefined;
  /** The value of our Authentication-Results field. */
  readonly results: string;
}

/**
 * The next ARC set (RFC 8617 section 5.1), seal first. Empty if none may be added: the chain was sealed as failed, has its maximum
 * length, or was not evaluated.
 */
export function arcSet(message: Signable, { domain, key, chainState, results: found }: ArcOptions): HeaderField[] {
  const chain = new ArcChain(message);
  const instance = chain.length + 1;
  const state = chain.length === 0 ? "none" : stateOf(chainState);
  if (state === undefined || instance > maxInstances || chain.isSealedAsFailed) return [];
  const results = headerField("ARC-Authentication-Results", `i=${instance}; ${found}`);
  const signature = arcMessageSignature(message, { domain, instance }, key);
  // The seal of a failed chain covers this set alone (section 5.1.2).
  const sealed = [...(state === "fail" ? [] : chain.fields()), results, signature].map(relaxedField);
  const tags = { i: instance, a: key.algorithm, cv: state, d: domain, s: key.selector, t: message.signedAtS };
  return [signatureField("ARC-Seal", tags, sealed, key), signature, results];
}

/** The state of a chain that is there: "none" would be wrong. */
function stateOf(found: string | undefined): ChainState | undefined {
  return found === "pass" || found === "fail" ? found : undefined;
}

/** The ARC sets of a received message. */
class ArcChain {
  readonly #results: ReadonlyMap<number, HeaderField>;
  readonly #signatures: ReadonlyMap<number, HeaderField>;
  readonly #seals: ReadonlyMap<number, HeaderField>;

  constructor(message: Signable) {
    // Of two of an instance the later counts.
    const byInstance = (name: string) =>
      new Map(
        message
          .named(name)
          .toReversed()
          .map((found) => [instanceOf(found), found] as const),
      );
    this.#results = byInstance("arc-authentication-results");
    this.#signatures = byInstance("arc-message-signature");
    this.#seals = byInstance("arc-seal");
  }

  /** The highest instance, whether or not the chain is complete: the next set must not repeat one. */
  get length(): number {
    return Math.max(0, ...this.#results.keys(), ...this.#signatures.keys(), ...this.#seals.keys());
  }

  get isSealedAsFailed(): boolean {
    const seal = this.#seals.get(this.length);
    return seal !== undefined && /(?:^|;)\s*cv\s*=\s*fail\s*(?:;|$)/i.test(unfoldedBody(seal));
  }

  /** In the order of sealing (section 5.1.1). */
  fields(): HeaderField[] {
    return Array.from({ length: this.length }, (_, index) => index + 1).flatMap((instance) =>
      [this.#results, this.#signatures, this.#seals].flatMap((kind) => kind.get(instance) ?? []),
    );
  }
}

function instanceOf(found: HeaderField): number {
  return Number(/(?:^|;)\s*i\s*=\s*(\d{1,2})\s*(?:;|$)/.exec(unfoldedBody(found))?.[1] ?? 0);
}
