import type { Secrets } from "./secrets.ts";

/** Clocks of one installation differ by less. */
const toleranceMs = 30_000;
const issuer = "postern";
const header = Buffer.from(JSON.stringify({ alg: "HS256" })).toString("base64url");

/**
 * Claims signed for a purpose, for this installation alone and for a while: a JWT (RFC 7519) by HMAC-SHA256 under a key that hangs
 * on SECRET_KEY. Made and read at once, where a library for every algorithm would go by way of a thread for each.
 */
export class SignedClaims<Claims extends object> {
  readonly #secrets: Secrets;
  readonly #purpose: string;
  readonly #lifetimeMs: number;

  constructor(secrets: Secrets, purpose: string, lifetimeMs: number) {
    this.#secrets = secrets;
    this.#purpose = purpose;
    this.#lifetimeMs = lifetimeMs;
  }

  sign(claims: Claims): string {
    const now = Date.now();
    const times = { iss: issuer, iat: seconds(now), exp: seconds(now + this.#lifetimeMs) };
    const signed = `${header}.${Buffer.from(JSON.stringify({ ...claims, ...times })).toString("base64url")}`;
    return `${signed}.${this.#secrets.sign(this.#purpose, signed)}`;
  }

  /** Undefined for what was not signed by this installation for this purpose, or has expired. */
  read(token: string): Claims | undefined {
    const [given, payload = "", signature = "", ...rest] = token.split(".");
    // The header is ours to the letter: which algorithm it is is not for the token to say (RFC 8725 section 3.1).
    const isOurs = given === header && rest.length === 0;
    if (!isOurs || !this.#secrets.verify(this.#purpose, `${given}.${payload}`, signature)) return undefined;
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims & { iss: string; exp: number };
    return claims.iss === issuer && Date.now() - toleranceMs < claims.exp * 1000 ? claims : undefined;
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
