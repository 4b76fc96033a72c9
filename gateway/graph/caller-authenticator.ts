import type { IncomingHttpHeaders } from "node:http";
import type { authContract } from "../../services/auth/contract.ts";
import { Refusal } from "../../services/platform/errors.ts";
import type { GraphCaller } from "../../services/platform/graph/caller-statement.ts";
import { bearerToken } from "../../services/platform/http/bearer-token.ts";
import type { SessionCookie } from "../../services/platform/http/session-cookie.ts";
import type { Client } from "../../services/platform/rpc/contract.ts";
import { type NeededScope, requireScope } from "../../services/platform/security/scopes.ts";

interface Identified {
  /** Absent: nobody has signed in. */
  caller?: GraphCaller;
  /** The browser's session has ended: it should be told to forget it. */
  isStale: boolean;
}

/** Finds out who is asking, by the Token header, a bearer token, or a browser's session. */
export class CallerAuthenticator {
  readonly #auth: Pick<Client<typeof authContract>, "authenticate">;
  readonly #cookie: SessionCookie;

  constructor(auth: Pick<Client<typeof authContract>, "authenticate">, cookie: SessionCookie) {
    this.#auth = auth;
    this.#cookie = cookie;
  }

  /**
   * Headers that are there must be right. A cookie that is not is no credential at all: its browser could not sign in otherwise.
   * @throws Refusal BearerTokenInvalid, TokenNotFound; Outage when auth is out of reach.
   */
  async identify(headers: IncomingHttpHeaders): Promise<Identified> {
    const token = headers["token"];
    if (typeof token === "string" && token.trim() !== "") return this.#known("token", token.trim(), false);
    const bearer = bearerToken(headers.authorization);
    if (bearer !== undefined) return this.#known("bearer", bearer, false);
    const session = this.#cookie.read(headers.cookie);
    if (session === undefined) return { isStale: false };
    try {
      return await this.#known("bearer", session, true);
    } catch (error) {
      if (error instanceof Refusal && error.kind === "BearerTokenInvalid") return { isStale: true };
      throw error;
    }
  }

  /**
   * The account that asks, for what is not the graph.
   * @param needed what an API key needs for it
   * @throws Refusal CredentialsMissing, SecondFactorRequired, ScopeMissing, and as `identify`
   */
  async account(headers: IncomingHttpHeaders, needed: NeededScope): Promise<GraphCaller> {
    const { caller } = await this.identify(headers);
    if (!caller) throw new Refusal("CredentialsMissing", { public: "Sign in first, or send the API token." });
    if (!caller.isFullyAuthenticated)
      throw new Refusal("SecondFactorRequired", { public: "This account has a second factor: give its code first." });
    requireScope(caller, needed);
    return caller;
  }

  async #known(scheme: "token" | "bearer", value: string, isCookie: boolean): Promise<Identified> {
    return {
      caller: { ...(await this.#auth.authenticate({ scheme, value, acceptsApiKeys: true })), isCookie },
      isStale: false,
    };
  }
}
