import { LRUCache } from "lru-cache";
import { Refusal } from "../errors.ts";
import { parseBearer } from "../http/bearer-token.ts";
import type { Secrets } from "../security/secrets.ts";
import { SignedClaims } from "../security/signed-claims.ts";

const lifetimeMs = 120_000;
const keptCallers = 100;
const namePattern = /^[a-z][a-z0-9-]{0,40}$/;

interface ServiceClaims {
  /** The service that calls. */
  sub: string;
  /** The service that is called. */
  aud: string;
}

/**
 * Tokens by which one service of this installation calls another. Each service signs with a key of its own, derived from
 * SECRET_KEY, and a token is good for one service only: if it leaks, it cannot be used to call others.
 */
export class ServiceTokens {
  readonly #secrets: Secrets;
  /** By caller. */
  readonly #claims = new LRUCache<string, SignedClaims<ServiceClaims>>({ max: keptCallers });
  /** By caller and audience; each is renewed before it ends. */
  readonly #issued = new Map<string, { token: string; renewAtMs: number }>();
  /** Those of 0.1.0: one key for all services, and good at each of them. */
  readonly #former: SignedClaims<Pick<ServiceClaims, "sub">> | undefined;

  /** @param acceptsFormer whether tokens of 0.1.0 are accepted, and made for its services */
  constructor(secrets: Secrets, { acceptsFormer = false } = {}) {
    this.#secrets = secrets;
    this.#former = acceptsFormer ? new SignedClaims(secrets, "rpc", lifetimeMs) : undefined;
  }

  token(caller: string, audience: string): string {
    const pair = `${caller} ${audience}`;
    const issued = this.#issued.get(pair);
    if (issued && Date.now() < issued.renewAtMs) return issued.token;
    const token = this.#claimsOf(caller).sign({ sub: caller, aud: audience });
    this.#issued.set(pair, { token, renewAtMs: Date.now() + lifetimeMs / 2 });
    return token;
  }

  /** A token for a service of 0.1.0; undefined where these are not accepted. */
  formerToken(caller: string): string | undefined {
    return this.#former?.sign({ sub: caller });
  }

  /** @throws Refusal Forbidden unless the authorization header holds a token for this audience. */
  check(authorization: string | undefined, audience: string): void {
    const token = parseBearer(authorization ?? "") ?? "";
    const caller = callerOf(token);
    const claims = caller === undefined ? undefined : this.#claimsOf(caller).read(token);
    if (claims?.sub === caller && claims?.aud === audience) return;
    if (this.#former?.read(token)) return;
    throw new Refusal("Forbidden", {
      public: "Only services of this installation may call this.",
      operator: `service token missing, expired, not for ${audience}, or signed with another SECRET_KEY`,
    });
  }

  #claimsOf(caller: string): SignedClaims<ServiceClaims> {
    const kept =
      this.#claims.get(caller) ?? new SignedClaims<ServiceClaims>(this.#secrets, `rpc/${caller}`, lifetimeMs);
    this.#claims.set(caller, kept);
    return kept;
  }
}

/** Whom a token says that it is from: not verified, it only names the key that it has to be signed with. */
function callerOf(token: string): string | undefined {
  const [, payload = ""] = token.split(".");
  try {
    const { sub } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { sub?: unknown };
    return typeof sub === "string" && namePattern.test(sub) ? sub : undefined;
  } catch {
    // No JSON: no token of ours.
    return undefined;
  }
}
