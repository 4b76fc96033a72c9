import { Refusal } from "../../platform/errors.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { AccountForSignIn, Accounts } from "../accounts/accounts.ts";
import type { Passwords } from "../accounts/passwords.ts";
import { isUsername, usernameKey } from "../accounts/usernames.ts";
import { type Passkeys, wrongPasskey } from "../passkeys/passkeys.ts";
import type { SecondFactor } from "../second-factor/second-factor.ts";
import { type BearerToken, bearerInvalid, type Origin, type Sessions } from "./sessions.ts";
import type { Attempt, SignInThrottle } from "./sign-in-throttle.ts";

interface SignInRequest extends Origin {
  username: string;
  password: string;
}

interface Dependencies {
  accounts: Accounts;
  passwords: Passwords;
  passkeys: Passkeys;
  sessions: Sessions;
  secondFactor: SecondFactor;
  throttle: SignInThrottle;
  logger: Logger;
  metrics: Metrics;
}

/** Exchanges credentials for a bearer token. A wrong username and a wrong password cannot be told apart, by the answer or its time. */
export class SignIn {
  readonly #dependencies: Dependencies;
  readonly #signIns;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#signIns = dependencies.metrics.counter("postern_sign_ins_total", "Sign-ins by outcome", ["outcome"]);
  }

  /** @throws Refusal WrongUserOrPassword; RateLimited with when to come back. */
  async signIn({ username, password, ...origin }: SignInRequest): Promise<BearerToken> {
    const { accounts, throttle, sessions } = this.#dependencies;
    const { clientAddress } = origin;
    await throttle.checkFlood(clientAddress);
    const key = usernameKey(username);
    const account = isUsername(username) ? await accounts.forSignIn(key, origin) : undefined;
    const attempt: Attempt = { ...origin, usernameKey: key, knownBy: account?.knownBy ?? "nothing" };
    const passwordHash = await this.#verify(account, password, attempt);
    const bearer =
      account && passwordHash && !account.isDisabled
        ? await sessions.open(account.id, origin, { passwordHash })
        : undefined;
    if (!bearer) {
      await throttle.failed(attempt);
      this.#tell("refused", account?.id, clientAddress);
      throw new Refusal("WrongUserOrPassword", { public: "The user or password does not exist." });
    }
    await throttle.succeeded(attempt);
    this.#tell("granted", account?.id, clientAddress);
    return bearer;
  }

  /**
   * Exchanges what a passkey has signed for a bearer token.
   * @throws Refusal WrongPasskey, of a disabled account too; RateLimited.
   */
  async signInWithPasskey(responseJson: string, origin: Origin): Promise<BearerToken> {
    const { passkeys, sessions, throttle } = this.#dependencies;
    const { clientAddress } = origin;
    await throttle.checkFlood(clientAddress);
    try {
      const { accountId, ...passkey } = await passkeys.signIn(responseJson);
      const bearer = await sessions.open(accountId, origin, passkey);
      if (!bearer) throw wrongPasskey("its account is disabled, or it was removed meanwhile");
      this.#tell("granted", accountId, clientAddress);
      return bearer;
    } catch (error) {
      if (error instanceof Refusal && error.kind === "WrongPasskey") this.#tell("refused", undefined, clientAddress);
      throw error;
    }
  }

  /** What a browser asks an authenticator for. @throws Refusal RateLimited */
  async beginWithPasskey(clientAddress: string): Promise<string> {
    await this.#dependencies.throttle.checkFlood(clientAddress);
    return this.#dependencies.passkeys.beginSignIn();
  }

  /**
   * Exchanges a bearer token and a code for a bearer token that has the second factor; the one given stays as it is.
   * @throws Refusal BearerTokenInvalid, and as SecondFactor.use.
   */
  async grantSecondFactor({
    bearer,
    code,
    ...origin
  }: Origin & { bearer: string; code: string }): Promise<BearerToken> {
    const { accountId, sessionId = "" } = await this.#dependencies.sessions.caller(bearer);
    return this.#grant(accountId, sessionId, code, origin);
  }

  /** The same for a session that the caller is known by; it gives way to the one that has the second factor. @throws Refusal as SecondFactor.use */
  async completeSession({
    accountId,
    sessionId,
    code,
    ...origin
  }: Origin & { accountId: string; sessionId: string; code: string }): Promise<BearerToken> {
    const granted = await this.#grant(accountId, sessionId, code, origin);
    await this.#dependencies.sessions.revoke(accountId, sessionId);
    return granted;
  }

  async #grant(accountId: string, sessionId: string, code: string, origin: Origin): Promise<BearerToken> {
    const { sessions, secondFactor, logger } = this.#dependencies;
    await secondFactor.use(accountId, code);
    const granted = await sessions.open(accountId, origin, { sessionId });
    if (!granted) throw bearerInvalid();
    logger.info({ accountId, clientAddress: origin.clientAddress }, "second factor granted");
    return granted;
  }

  /** Checks the password of an account that is signed in to, under the same limits as a sign-in. @throws Refusal WrongPassword, RateLimited */
  async checkPassword(accountId: string, password: string, origin: Origin): Promise<void> {
    const { accounts, throttle } = this.#dependencies;
    const account = await accounts.forReauthentication(accountId, origin);
    const attempt: Attempt = {
      ...origin,
      usernameKey: account?.key ?? "",
      knownBy: account?.knownBy ?? "nothing",
    };
    if (await this.#verify(account, password, attempt)) return;
    await throttle.failed(attempt);
    throw new Refusal("WrongPassword", { public: "This is not the account's password." });
  }

  /** The hash in force that the password is right by; undefined when it is wrong. */
  async #verify(
    account: AccountForSignIn | undefined,
    password: string,
    attempt: Attempt,
  ): Promise<string | undefined> {
    const { passwords, accounts, throttle } = this.#dependencies;
    try {
      const isRight = await passwords.verify(account?.passwordHash, password, () => throttle.check(attempt));
      if (!isRight || !account) return undefined;
      const { id, passwordHash } = account;
      return passwords.isOutdated(passwordHash) ? await accounts.rehash(id, passwordHash, password) : passwordHash;
    } catch (error) {
      if (error instanceof Refusal && error.kind === "RateLimited")
        this.#tell("throttled", account?.id, attempt.clientAddress);
      throw error;
    }
  }

  /** For audits. The username is left out: an unknown one may be a password typed into the wrong field. */
  #tell(outcome: "granted" | "refused" | "throttled", accountId: string | undefined, clientAddress: string): void {
    this.#signIns.inc({ outcome });
    this.#dependencies.logger.info({ outcome, accountId, clientAddress }, `sign-in ${outcome}`);
  }
}
