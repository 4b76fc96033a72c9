import { createHash } from "node:crypto";
import { Refusal } from "../../platform/errors.ts";
import { networkOf } from "../../platform/net/ip-address.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import type { AuthConfig } from "../config.ts";
import type { Client } from "./known-clients.ts";

const windowS = 15 * 60;

/** The limit per hour for unknown clients of all addresses together: at that rate, guessing an acceptable password takes years. */
const unknownClientsWindowS = 3_600;

/** What a sign-in counts towards. */
export interface Attempt extends Client {
  usernameKey: string;
  /** Somebody has signed in to the account before by this browser, or from this address; an unknown client otherwise. */
  knownBy: "device" | "address" | "nothing";
}

/**
 * Slows down who guesses. Failures count, per account and client, and per client address; successes never do, so that a program may
 * sign in with the right password as often as it likes, short of a flood. Nobody is locked out by the guesses of others: each
 * address counts for itself, what unknown clients do together counts against unknown clients alone, and a browser that has signed in before is
 * known by its cookie even at an address that others guess from. Passkeys cannot be guessed, and are not counted.
 */
export class SignInThrottle {
  readonly #flood: Limit;
  readonly #address: Limit;
  readonly #account: Limit;
  readonly #unknownClients: Limit;

  constructor(limits: Limits, config: AuthConfig) {
    this.#flood = limits.limit({ name: "sign-in-flood", points: config.LIMIT_SIGN_IN_FLOOD_PER_MIN, windowS: 60 });
    this.#address = limits.limit({ name: "sign-in-address", points: config.LIMIT_SIGN_IN_PER_ADDRESS, windowS });
    this.#account = limits.limit({ name: "sign-in-account", points: config.LIMIT_SIGN_IN_PER_ACCOUNT, windowS });
    this.#unknownClients = limits.limit({
      name: "sign-in-strangers",
      points: config.LIMIT_SIGN_IN_STRANGERS_PER_ACCOUNT,
      windowS: unknownClientsWindowS,
    });
  }

  /** Before anything is looked up. @throws Refusal RateLimited */
  async checkFlood(clientAddress: string): Promise<void> {
    refuseUnless(await this.#flood.consume(networkOf(clientAddress)));
  }

  /** Just before a password is checked. @throws Refusal RateLimited */
  async check(attempt: Attempt): Promise<void> {
    for (const { limit, key } of this.#countersOf(attempt)) refuseUnless(await limit.check(key));
  }

  async failed(attempt: Attempt): Promise<void> {
    await Promise.all(this.#countersOf(attempt).map(({ limit, key }) => limit.consume(key)));
  }

  /** The address keeps its failures, or a guesser would wipe them out by an account of its own. */
  async succeeded(attempt: Attempt): Promise<void> {
    await this.#account.reset(clientKey(attempt));
  }

  #countersOf(attempt: Attempt): { limit: Limit; key: string }[] {
    const own = { limit: this.#account, key: clientKey(attempt) };
    const address = { limit: this.#address, key: networkOf(attempt.clientAddress) };
    if (attempt.knownBy === "device") return [own];
    if (attempt.knownBy === "address") return [address, own];
    return [address, own, { limit: this.#unknownClients, key: hashed(attempt.usernameKey) }];
  }
}

/** @throws Refusal RateLimited saying how long to wait. */
export function refuseUnless({ isAllowed, retryAfterS }: { isAllowed: boolean; retryAfterS: number }): void {
  if (!isAllowed)
    throw new Refusal("RateLimited", { public: "Too many attempts; please try again later.", retryAfterS });
}

/** An account as one client tries it. */
function clientKey({ usernameKey, clientAddress, device, knownBy }: Attempt): string {
  return hashed([usernameKey, knownBy, knownBy === "device" ? device : networkOf(clientAddress)].join("\n"));
}

/** Text typed as a username may be a password, and must not be stored in Redis. */
function hashed(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
