import { LRUCache } from "lru-cache";
import { Refusal } from "../errors.ts";
import type { Language } from "../rpc/language.ts";
import type { KeyRights } from "../security/scopes.ts";
import type { Secrets } from "../security/secrets.ts";
import { SignedClaims } from "../security/signed-claims.ts";

const purpose = "graph-caller";

/** Longer than a query can take, one that waits for mail (60 s) too, and expired by the time that it could be found in a log. */
const lifetimeMs = 120_000;

/** Who is asking, as the gateway found out: what services get in place of the credential. */
export interface GraphCaller {
  accountId: string;
  username: string;
  /** False while a second factor is still owed. */
  isFullyAuthenticated: boolean;
  /** The sign-in session behind a bearer token or a cookie; absent for an API token. */
  sessionId?: string | undefined;
  /** The API token, as auth knows it again while a query waits; absent for what is none. */
  tokenId?: string | undefined;
  /** Where the credential is an API key: what it is held to. */
  key?: KeyRights | undefined;
  /** May open the operator's area; absent for what is no session. */
  isOperator?: boolean | undefined;
  /** The session is a browser's: its token is a cookie. */
  isCookie: boolean;
}

export interface CallerStatement {
  /** Absent: not signed in. */
  caller?: GraphCaller | undefined;
  /** The client's address as the gateway saw it. */
  clientAddress: string;
  /** A plain name of what it asks with, where it says so. */
  browser?: string | undefined;
  /** The id of the browser in its cookie, the same for every account that signs in with it. */
  device?: string | undefined;
  /** Of mail to whoever asks; English if absent. */
  language?: Language | undefined;
}

/**
 * A statement is read by a service for each part of a query, and a client's next request says the same: what was signed or found good is
 * neither signed nor verified again for so long, which is less than clocks may differ by.
 */
const remembered = { max: 500, ttl: 1_000 };

/** Signs who is asking for the services, and reads it there. */
export class CallerStatements {
  readonly #claims: SignedClaims<CallerStatement>;
  /** By what they say. */
  readonly #signed = new LRUCache<string, string>(remembered);
  /** By what was signed. */
  readonly #read = new LRUCache<string, CallerStatement>(remembered);

  constructor(secrets: Secrets) {
    this.#claims = new SignedClaims(secrets, purpose, lifetimeMs);
  }

  sign(statement: CallerStatement): string {
    const said = JSON.stringify(statement);
    const known = this.#signed.get(said);
    if (known !== undefined) return known;
    const signed = this.#claims.sign(statement);
    this.#signed.set(said, signed);
    return signed;
  }

  /** @throws Refusal Forbidden for what was not signed by this installation, or has expired. */
  read(signed: string): CallerStatement {
    const statement = this.#read.get(signed) ?? this.#claims.read(signed);
    if (statement) {
      this.#read.set(signed, statement, { noUpdateTTL: true });
      return statement;
    }
    throw new Refusal("Forbidden", {
      public: "Only this installation's gateway may ask here.",
      operator: "the caller's statement is missing, expired or signed with another SECRET_KEY",
    });
  }
}
