import { Refusal } from "../errors.ts";
import type { Secrets } from "../security/secrets.ts";
import { SignedClaims } from "../security/signed-claims.ts";

const lifetimeMs = 120_000;

/** A signed statement that the bearer is a service of this installation, and which one. Renewed before it ends. */
export class ServiceTokens {
  readonly #claims: SignedClaims<{ sub: string }>;
  readonly #self: string;
  #held: { token: string; renewAtMs: number } | undefined;

  constructor(secrets: Secrets, self: string) {
    this.#claims = new SignedClaims(secrets, "rpc", lifetimeMs);
    this.#self = self;
  }

  token(): string {
    if (!this.#held || Date.now() >= this.#held.renewAtMs)
      this.#held = { token: this.#claims.sign({ sub: this.#self }), renewAtMs: Date.now() + lifetimeMs / 2 };
    return this.#held.token;
  }

  /** @throws Refusal when the authorization header holds no valid service token. */
  check(authorization: string | undefined): void {
    const token = authorization?.replace(/^Bearer /, "");
    if (token !== undefined && this.#claims.read(token)) return;
    throw new Refusal("Forbidden", {
      public: "Only services of this installation may call this.",
      operator: "service token missing, expired or signed with another SECRET_KEY",
    });
  }
}
