import { BodyHash } from "../../message/dkim/body-hash.ts";
import { type HeaderField, parseFields, serializeFields } from "../../message/header/fields.ts";
import { splitMessage } from "../../message/header/section.ts";
import { arcSet } from "./arc.ts";
import { dkimSignatures } from "./dkim.ts";
import type { DkimKeys } from "./dkim-keys.ts";
import type { SigningIdentity } from "./domain-keys.ts";
import { Signable } from "./signable.ts";

/** The values of FORWARD_SIGN. */
export const signingModes = ["dkim+arc", "dkim", "arc", "off"] as const;
type SigningMode = (typeof signingModes)[number];

interface SignerOptions {
  keys: Pick<DkimKeys, "current">;
  mode: SigningMode;
  domain: string;
}

/** A message to be signed, and ingress' results for it. */
interface Unsigned {
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
  async sign({ fields, bodyHash, chainState, results, identity, needsDkim }: Unsigned): Promise<HeaderField[]> {
    const { keys, domain } = this.#options;
    const hasDkim = this.hasDkim || needsDkim === true;
    if (!(this.#hasArc || hasDkim) || !fields.some(({ name }) => name === "from")) return [];
    const message = new Signable(fields, bodyHash);
    const rsa = keys.current("rsa-sha256");
    const own = { domain, keys: [keys.current("ed25519-sha256"), rsa] };
    const [arc, dkim] = await Promise.all([
      this.#hasArc ? arcSet(message, { chainState, results, domain }, rsa) : [],
      hasDkim ? signaturesOf(message, identity?.keys.length ? identity : own) : [],
    ]);
    return [...arc, ...dkim];
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
    const { keys, domain } = this.#options;
    const { header, body } = splitMessage(message);
    const hash = new BodyHash();
    hash.update(body);
    const signable = new Signable(parseFields(header), hash.digest());
    const own = { domain, keys: [keys.current("ed25519-sha256"), keys.current("rsa-sha256")] };
    const signatures = await signaturesOf(signable, identity ?? own);
    return Buffer.concat([Buffer.from(serializeFields(signatures), "latin1"), message]);
  }
}

function signaturesOf(message: Signable, { domain, keys }: SigningIdentity): Promise<HeaderField[]> {
  return dkimSignatures(message, domain, keys);
}
