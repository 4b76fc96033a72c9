import type { Database, Queryable } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { type Requester, sessionEnded } from "../accounts/account-lock.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { Client } from "./known-clients.ts";
import type { SignIn } from "./sign-in.ts";

/** How long a password or a passkey that was given counts as fresh. */
const lifetimeMinutes = 10;

interface Dependencies {
  db: Database;
  passkeys: Passkeys;
  signIn: SignIn;
}

/**
 * What changes how an account is signed in to takes a password or a passkey given within the last minutes, in the session that asks:
 * whoever finds a session open, or a token, is not to keep the account (OWASP ASVS 5.0, 7.5.1). An API token can never do it.
 */
export class FreshProof {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Refusal FreshProofRequired */
  require(caller: Requester): Promise<void> {
    return requireFreshProof(this.#dependencies.db, caller);
  }

  /** Makes the session's proof fresh. @throws Refusal FreshProofRequired by an API token; WrongPassword, RateLimited */
  async byPassword(caller: Requester, password: string, origin: Client): Promise<void> {
    if (caller.sessionId === undefined) throw neverByApiToken();
    await this.#dependencies.signIn.checkPassword(caller.accountId, password, origin);
    await this.#record(caller);
  }

  /** What `navigator.credentials.get` is to be given, as JSON. @throws Refusal FreshProofRequired by an API token */
  async beginByPasskey({ accountId, sessionId }: Requester): Promise<string> {
    if (sessionId === undefined) throw neverByApiToken();
    return this.#dependencies.passkeys.beginProof(accountId);
  }

  /** Makes the session's proof fresh. @throws Refusal WrongPasskey of another account too, or whose authenticator did not verify its user */
  async byPasskey(caller: Requester, responseJson: string): Promise<void> {
    await this.#dependencies.passkeys.prove(caller.accountId, responseJson);
    await this.#record(caller);
  }

  async #record({ accountId, sessionId }: Requester): Promise<void> {
    const { rowCount } = await this.#dependencies.db.query(
      `update session set proved_at = now() where id = $1 and account_id = $2`,
      [sessionId ?? null, accountId],
    );
    if (rowCount === 0) throw sessionEnded();
  }
}

/** @throws Refusal FreshProofRequired */
export async function requireFreshProof(db: Queryable, { accountId, sessionId }: Requester): Promise<void> {
  if (sessionId === undefined) throw neverByApiToken();
  const { rowCount } = await db.query(
    `select from session where id = $1 and account_id = $2 and proved_at > now() - make_interval(mins => $3)`,
    [sessionId, accountId, lifetimeMinutes],
  );
  if (rowCount === 0)
    throw new Refusal("FreshProofRequired", {
      public: "Confirm that it is you first: give your password, or use a passkey.",
    });
}

export function neverByApiToken(): Refusal {
  return new Refusal("FreshProofRequired", {
    public: "An API token cannot do this: sign in, and give your password or use a passkey.",
  });
}
