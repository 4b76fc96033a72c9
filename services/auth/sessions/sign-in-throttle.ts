import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { Refusal } from "../../platform/errors.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import type { AuthConfig } from "../config.ts";

const windowS = 15 * 60;

/** What a sign-in counts towards. */
export interface Attempt {
  clientAddress: string;
  usernameKey: string;
  /** Whether somebody has signed in to the account from this address before. */
  isKnownAddress: boolean;
}

/**
 * Slows down who guesses. Failures count, per account and per client address; successes never do, so that a program may sign in
 * with the right password as often as it likes, short of a flood. An address that the account was signed in to from before has
 * a count of its own: nobody is locked out by the guesses of strangers.
 */
export class SignInThrottle {
  readonly #flood: Limit;
  readonly #address: Limit;
  readonly #account: Limit;

  constructor(limits: Limits, config: AuthConfig) {
    this.#flood = limits.limit({ name: "sign-in-flood", points: config.LIMIT_SIGN_IN_FLOOD_PER_MIN, windowS: 60 });
    this.#address = limits.limit({ name: "sign-in-address", points: config.LIMIT_SIGN_IN_PER_ADDRESS, windowS });
    this.#account = limits.limit({ name: "sign-in-account", points: config.LIMIT_SIGN_IN_PER_ACCOUNT, windowS });
  }

  /** Before anything is looked up. @throws Refusal RateLimited */
  async arrive(clientAddress: string): Promise<void> {
    refuseUnless(await this.#flood.consume(network(clientAddress)));
  }

  /** Just before a password is checked. @throws Refusal RateLimited */
  async check(attempt: Attempt): Promise<void> {
    refuseUnless(await this.#address.check(network(attempt.clientAddress)));
    refuseUnless(await this.#account.check(accountKey(attempt)));
  }

  async failed(attempt: Attempt): Promise<void> {
    await Promise.all([
      this.#address.consume(network(attempt.clientAddress)),
      this.#account.consume(accountKey(attempt)),
    ]);
  }

  /** The address keeps its failures, or a guesser would wipe them out by an account of its own. */
  async succeeded(attempt: Attempt): Promise<void> {
    await this.#account.reset(accountKey(attempt));
  }
}

/** @throws Refusal RateLimited saying how long to wait. */
export function refuseUnless({ isAllowed, retryAfterS }: { isAllowed: boolean; retryAfterS: number }): void {
  if (!isAllowed)
    throw new Refusal("RateLimited", { public: "Too many attempts; please try again later.", retryAfterS });
}

/** Hashed: what people type as a username may be their password, and has no business in Redis. */
function accountKey({ usernameKey, clientAddress, isKnownAddress }: Attempt): string {
  const scope = isKnownAddress ? `${usernameKey}\n${clientAddress}` : usernameKey;
  return createHash("sha256").update(scope).digest("base64url");
}

/** An IPv6 host has a whole /64 to itself (RFC 4291 section 2.5.4). */
export function network(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress;
  const address = ipaddr.parse(clientAddress);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return address.isIPv4MappedAddress()
    ? address.toIPv4Address().toString()
    : address.toByteArray().slice(0, 8).join(".");
}
