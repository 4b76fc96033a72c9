import { type HeaderField, parseFields, serializeFields } from "../../message/header/fields.ts";
import { splitMessage } from "../../message/header/section.ts";
import { arcSet } from "./arc.ts";
import { BodyHash } from "./body-hash.ts";
import { dkimSignature, type Signable } from "./dkim.ts";
import type { SigningKeys } from "./keys.ts";

/** What FORWARD_SIGN may say. */
export const signingModes = ["dkim+arc", "dkim", "arc", "off"] as const;
export type SigningMode = (typeof signingModes)[number];

export interface SignerOptions {
  keys: Pick<SigningKeys, "current">;
  mode: SigningMode;
  domain: string;
}

/** A message before it is signed, and what we found of it when it came. */
export interface Unsigned {
  fields: readonly HeaderField[];
  bodyHash: string;
  chainState: string | undefined;
  /** The value of our Authentication-Results. */
  results: string;
}

/** Signs what goes out in the name of SERVICE_DOMAIN. */
export class Signer {
  readonly #options: SignerOptions;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  /** Whether it needs a hash of each body. */
  get isOn(): boolean {
    return this.#options.mode !== "off";
  }

  /**
   * The ARC set, then DKIM signatures of both kinds (RFC 8463 section 5.1: verifiers that know one ignore the other). A
   * message without From gets none: nothing could be signed that a verifier would look at (RFC 6376 section 6.1.1).
   */
  async sign({ fields, bodyHash, chainState, results }: Unsigned): Promise<HeaderField[]> {
    const { keys, mode, domain } = this.#options;
    if (mode === "off" || !fields.some(({ name }) => name === "from")) return [];
    const message: Signable = { fields, bodyHash, domain, signedAtS: Math.floor(Date.now() / 1_000) };
    const rsa = keys.current("rsa-sha256");
    const ed25519 = keys.current("ed25519-sha256");
    const [arc, dkim] = await Promise.all([
      mode === "dkim" ? [] : arcSet(message, { chainState, results }, rsa),
      mode === "arc" ? [] : Promise.all([dkimSignature(message, ed25519), dkimSignature(message, rsa)]),
    ]);
    return [...arc, ...dkim];
  }

  /** A mail of the service's own with DKIM signatures on top, which is all that a message without a past can have. */
  async signOwn(message: Buffer): Promise<Buffer> {
    const { keys, mode, domain } = this.#options;
    if (mode !== "dkim" && mode !== "dkim+arc") return message;
    const { header, body } = splitMessage(message);
    const hash = new BodyHash();
    hash.update(body);
    const fields = parseFields(header);
    const signable = { fields, bodyHash: hash.digest(), domain, signedAtS: Math.floor(Date.now() / 1_000) };
    const algorithms = ["ed25519-sha256", "rsa-sha256"] as const;
    const signatures = await Promise.all(
      algorithms.map((algorithm) => dkimSignature(signable, keys.current(algorithm))),
    );
    return Buffer.concat([Buffer.from(serializeFields(signatures), "latin1"), message]);
  }
}
