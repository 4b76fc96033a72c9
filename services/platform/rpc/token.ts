import { jwtVerify, SignJWT } from "jose";
import { Refusal } from "../errors.ts";
import type { Secrets } from "../secrets.ts";

const lifetimeS = 120;

/** A signed statement that the bearer is a service of this installation, and which one (RFC 7519). Renewed before it ends. */
export class ServiceTokens {
  readonly #secrets: Secrets;
  readonly #self: string;
  #held: { token: string; renewAtMs: number } | undefined;

  constructor(secrets: Secrets, self: string) {
    this.#secrets = secrets;
    this.#self = self;
  }

  async token(): Promise<string> {
    if (!this.#held || Date.now() >= this.#held.renewAtMs) {
      const [key] = this.#secrets.keys("rpc");
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer("postern")
        .setSubject(this.#self)
        .setIssuedAt()
        .setExpirationTime(`${lifetimeS}s`)
        .sign(key);
      this.#held = { token, renewAtMs: Date.now() + (lifetimeS / 2) * 1000 };
    }
    return this.#held.token;
  }

  /** @throws Refusal when the authorization header holds no valid service token. */
  async check(authorization: string | undefined): Promise<void> {
    const token = authorization?.replace(/^Bearer /, "");
    for (const key of token ? this.#secrets.keys("rpc") : []) {
      try {
        await jwtVerify(token ?? "", key, { issuer: "postern", algorithms: ["HS256"], clockTolerance: 30 });
        return;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && String(error.code).startsWith("ERR_J"))) throw error;
      }
    }
    throw new Refusal("Forbidden", {
      public: "Only services of this installation may call this.",
      operator: "service token missing, expired or signed with another SECRET_KEY",
    });
  }
}
