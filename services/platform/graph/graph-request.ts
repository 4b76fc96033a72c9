import { Refusal } from "../errors.ts";
import type { Language } from "../rpc/language.ts";
import type { CallerStatement, GraphCaller } from "./caller-statement.ts";

/** A browser's sign-in that a mutation made or ended; the gateway turns it into the cookie. */
export interface SessionChange {
  /** Null: signed out. */
  token: string | null;
  expiresAt?: string;
}

/** What resolvers know of the request that they serve a part of. */
export class GraphRequest<Loaders = unknown> {
  #statement: CallerStatement;
  #loaders: Loaders | undefined;
  readonly #makeLoaders: (request: GraphRequest) => Loaders;
  /** Nobody waits for the answer any more. */
  readonly disconnected: AbortSignal;
  /** Set by a mutation that signs a browser in or out. */
  sessionChange: SessionChange | undefined;
  /** A mutation has signed somebody in, who asks for the rest of the query. */
  hasNewCaller = false;

  constructor(statement: CallerStatement, makeLoaders: (request: GraphRequest) => Loaders, disconnected: AbortSignal) {
    this.#statement = statement;
    this.#makeLoaders = makeLoaders;
    this.disconnected = disconnected;
  }

  get clientAddress(): string {
    return this.#statement.clientAddress;
  }

  /** Of mail to whoever asks. */
  get language(): Language {
    return this.#statement.language ?? "en";
  }

  /** Where it comes from, as a sign-in keeps it. */
  get origin(): Pick<CallerStatement, "clientAddress" | "browser" | "device"> {
    const { clientAddress, browser, device } = this.#statement;
    return { clientAddress, browser, device };
  }

  /** Batching reads of this one request; nothing outlives it, so that no answer is ever stale or somebody else's. */
  get loaders(): Loaders {
    this.#loaders ??= this.#makeLoaders(this);
    return this.#loaders;
  }

  /** From here on this caller asks: a mutation has signed it in. */
  become(caller: GraphCaller): void {
    this.#statement = { ...this.#statement, caller };
    this.#loaders = undefined;
    this.hasNewCaller = true;
  }

  get statement(): CallerStatement {
    return this.#statement;
  }

  /** Who is asking, even while a second factor is owed. @throws Refusal CredentialsMissing */
  get caller(): GraphCaller {
    const { caller } = this.#statement;
    if (!caller)
      throw new Refusal("CredentialsMissing", {
        public: "Sign in first, or send the API token in the Token header.",
      });
    return caller;
  }

  /** The account that asks. @throws Refusal CredentialsMissing, SecondFactorRequired */
  get ownerId(): string {
    const { accountId, isFullyAuthenticated } = this.caller;
    if (!isFullyAuthenticated)
      throw new Refusal("SecondFactorRequired", {
        public: "This account has a second factor: give its code with confirmSecondFactor first.",
      });
    return accountId;
  }
}
