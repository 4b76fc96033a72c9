import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>;

/** What an authenticator does otherwise than it should, or than most do. */
export interface Deviation {
  /** The site whose page asks. */
  origin?: string;
  rpId?: string;
  challenge?: string;
  isUserVerified?: boolean;
  counter?: number;
  userHandle?: string;
  /** It signs what it has made with the new key itself (WebAuthn Level 3, section 6.5.4). */
  isSelfAttested?: boolean;
  format?: string;
  statement?: Map<string, Cbor>;
}

type Algorithm = "ES256" | "Ed25519";

const flag = { isUserPresent: 0x01, isUserVerified: 0x04, hasCredential: 0x40 };

/** A passkey in software, with the browser around it (WebAuthn Level 3): it answers options as a page would get them. */
export class Authenticator {
  readonly #origin: string;
  readonly #algorithm: Algorithm;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly credentialId = randomBytes(32);
  #userHandle = "";
  counter = 0;

  constructor(origin: string, algorithm: Algorithm = "ES256") {
    this.#origin = origin;
    this.#algorithm = algorithm;
    this.#keys =
      algorithm === "ES256" ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : generateKeyPairSync("ed25519");
  }

  /** What `navigator.credentials.create` would give for these options, as JSON. */
  create(optionsJson: string, deviation: Deviation = {}): string {
    const options = JSON.parse(optionsJson) as { challenge: string; rp: { id: string }; user: { id: string } };
    this.#userHandle = options.user.id;
    const clientData = this.#clientData("webauthn.create", options.challenge, deviation);
    const data = Buffer.concat([this.#data(options.rp.id, deviation, flag.hasCredential), this.#credentialData()]);
    const self = new Map<string, Cbor>([
      ["alg", this.#algorithm === "ES256" ? -7 : -8],
      ["sig", this.#sign(data, clientData)],
    ]);
    const { isSelfAttested, format = isSelfAttested ? "packed" : "none", statement = new Map() } = deviation;
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ["fmt", format],
        ["attStmt", isSelfAttested ? self : statement],
        ["authData", data],
      ]),
    );
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal", "by-carrier-pigeon"],
    });
  }

  /** What `navigator.credentials.get` would give for these options, as JSON. */
  get(optionsJson: string, deviation: Deviation = {}): string {
    const options = JSON.parse(optionsJson) as { challenge: string; rpId: string };
    const clientData = this.#clientData("webauthn.get", options.challenge, deviation);
    const data = this.#data(options.rpId, deviation);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: this.#sign(data, clientData).toString("base64url"),
      userHandle: deviation.userHandle ?? this.#userHandle,
    });
  }

  #sign(data: Buffer, clientData: Buffer): Buffer {
    const signed = Buffer.concat([data, sha256(clientData)]);
    return sign(this.#algorithm === "ES256" ? "sha256" : null, signed, this.#keys.privateKey);
  }

  #answer(response: Record<string, unknown>): string {
    const id = this.credentialId.toString("base64url");
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.#origin } = deviation;
    return Buffer.from(
      JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin, crossOrigin: false }),
    );
  }

  /** Authenticator data (section 6.1): whose site, flags, counter. */
  #data(rpId: string, { rpId: other, isUserVerified = true, counter }: Deviation, more = 0): Buffer {
    const signCount = Buffer.alloc(4);
    signCount.writeUInt32BE(counter ?? ++this.counter);
    const flags = flag.isUserPresent | (isUserVerified ? flag.isUserVerified : 0) | more;
    return Buffer.concat([sha256(Buffer.from(other ?? rpId)), Buffer.of(flags), signCount]);
  }

  /** Attested credential data (section 6.5.1): no model, the id, the public key as COSE_Key. */
  #credentialData(): Buffer {
    const idLength = Buffer.of(0, this.credentialId.length);
    return Buffer.concat([Buffer.alloc(16), idLength, this.credentialId, cbor(this.#publicKey())]);
  }

  /** RFC 9053 sections 7.1.1 and 7.2: key type, algorithm, curve, coordinates. */
  #publicKey(): Map<number, Cbor> {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const [keyType, algorithm, curve] = this.#algorithm === "ES256" ? [2, -7, 1] : [1, -8, 6];
    const key = new Map<number, Cbor>([
      [1, keyType],
      [3, algorithm],
      [-1, curve],
      [-2, Buffer.from(x, "base64url")],
    ]);
    return this.#algorithm === "ES256" ? key.set(-3, Buffer.from(y, "base64url")) : key;
  }
}

function sha256(data: Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** Encodes what authenticators speak (CTAP2 canonical CBOR; RFC 8949 section 3): integers, texts, bytes and maps of these. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

/** A major type and its argument, in as few bytes as hold it. */
function head(major: number, argument: number): Buffer {
  const type = major << 5;
  if (argument < 24) return Buffer.of(type | argument);
  if (argument < 0x100) return Buffer.of(type | 24, argument);
  return Buffer.of(type | 25, argument >> 8, argument & 0xff);
}
