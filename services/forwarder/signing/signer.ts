import { BodyHash } from "../../message/dkim/body-hash.ts";
import { type HeaderField, parseFields, serializeFields } from "../../message/header/fields.ts";
import { splitMessage } from "../../message/header/section.ts";
import type { ServiceDomainKeys } from "./service-domain-keys.ts";
import type { SigningIdentity } from "./signing-key.ts";
import { signingThread } from "./signing-thread.ts";

/** The values of FORWARD_SIGN. */
export const signingModes = ["dkim+arc", "dkim", "arc", "off"] as const;
type SigningMode = (typeof signingModes)[number];

interface SignerOptions {
  keys: Pick<ServiceDomainKeys, "current">;
  mode: SigningMode;
  domain: string;
}

/** A message to be signed, and ingress' results for it. */
interface MessageToSign {
  fields: readonly HeaderField[];
  bodyHash: string;
  chainState: string | undefined;
  /** The value of our Authentication-Results field. */
  results: string;
  /** An account's own domain, for the DKIM signatures; without published keys they are SERVICE_DOMAIN's. */
  identity?: SigningIdentity | undefined;
  /** DKIM signatures whatever the mode: From was rewritten to an address of ours. */
  needsDkim?: boolean;
}

/** Signs outgoing mail for SERVICE_DOMAIN. */
export class Signer {
  readonly #options: SignerOptions;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  /** Whether messages are signed, so that body hashes are needed. */
  get isEnabled(): boolean {
    return this.#options.mode !== "off";
  }

  /** Whether messages get DKIM signatures. */
  get hasDkim(): boolean {
    return this.#options.mode === "dkim" || this.#options.mode === "dkim+arc";
  }

  get #hasArc(): boolean {
    return this.#options.mode === "arc" || this.#options.mode === "dkim+arc";
  }

  /**
   * The ARC set, then a DKIM signature of each algorithm (RFC 8463 section 5.1). A message without From gets none: verifiers
   * ignore signatures that do not cover it (RFC 6376 section 6.1.1).
   */
  async sign(message: MessageToSign): Promise<readonly HeaderField[]> {
    const { fields, bodyHash, chainState, results, identity, needsDkim } = message;
    const hasDkim = this.hasDkim || needsDkim === true;
    if (!(this.#hasArc || hasDkim) || !fields.some(({ name }) => name === "from")) return [];
    const { keys, domain } = this.#options;
    return signingThread.sign({
      fields,
      bodyHash,
      signedAtS: nowS(),
      arc: this.#hasArc ? { domain, key: keys.current("rsa-sha256"), chainState, results } : undefined,
      dkim: hasDkim ? (identity?.keys.length ? identity : this.#own) : undefined,
    });
  }

  /** A message that the service wrote, with DKIM signatures on top where messages have any. ARC is for forwarded mail only. */
  async signOwn(message: Buffer): Promise<Buffer> {
    return this.hasDkim ? this.signAlways(message) : message;
  }

  /**
   * A message that begins here with DKIM signatures on top, whatever the mode.
   * @param identity in whose name; by default SERVICE_DOMAIN's
   */
  async signAlways(message: Buffer, identity?: SigningIdentity): Promise<Buffer> {
    const { header, body } = splitMessage(message);
    const hash = new BodyHash();
    hash.update(body);
    const dkim = identity ?? this.#own;
    const unsigned = { fields: parseFields(header), bodyHash: hash.digest(), signedAtS: nowS() };
    const signatures = await signingThread.sign({ ...unsigned, arc: undefined, dkim });
    return Buffer.concat([Buffer.from(serializeFields(signatures), "latin1"), message]);
  }

  get #own(): SigningIdentity {
    const { keys, domain } = this.#options;
    return { domain, keys: [keys.current("ed25519-sha256"), keys.current("rsa-sha256")] };
  }
}

function nowS(): number {
  return Math.floor(Date.now() / 1_000);
}
