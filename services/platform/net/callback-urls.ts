import { isIP } from "node:net";
import { invalidField } from "../errors.ts";
import { type AddressRanges, isSpecialAddress } from "./special-ranges.ts";

export const callbackUrlCharacters = 2_048;

/** Control characters and spaces, which the URL parser drops silently, and unpaired surrogates, which it replaces. */
const forbiddenCharacter = /[\p{Cc}\p{Cs}\s]/u;

/** Checks callback URLs when they are set. What a host name resolves to is checked by webhook when it connects. */
export class CallbackUrls {
  readonly #allowed: AddressRanges;
  readonly #recorder: URL;

  constructor(allowed: AddressRanges, publicUrl: string) {
    this.#allowed = allowed;
    this.#recorder = new URL(`${publicUrl}/api/v1/callback/call/`);
  }

  /**
   * The URL as it was given; "" for none. Credentials in it are allowed: they are the caller's own, and sent to that host
   * alone. So is any port. The service's own recorder is allowed at any address.
   * @param field that it stands in
   * @throws Refusal ValidationFailed
   */
  check(given: string | null | undefined, field = "callbackUrl"): string {
    if (given === undefined || given === null || given === "") return "";
    const fault = this.#faultOf(given);
    if (fault !== undefined) throw invalidField(field, fault);
    return given;
  }

  #faultOf(given: string): string | undefined {
    if (given.length > callbackUrlCharacters) return `has more than ${callbackUrlCharacters} characters.`;
    const url = forbiddenCharacter.test(given) || !URL.canParse(given) ? undefined : new URL(given);
    // The parser also takes http:host, without slashes, for an absolute URL.
    if (!url || !/^https?:\/\//i.test(given)) return "must be an absolute http or https URL.";
    if (!this.#isRecorder(url) && this.#isSpecial(url.hostname))
      return "its host is a loopback, private or otherwise special address, which callbacks may not reach.";
    return undefined;
  }

  #isRecorder({ origin, pathname }: URL): boolean {
    return origin === this.#recorder.origin && pathname.startsWith(this.#recorder.pathname);
  }

  /** The URL parser has normalised every notation of an IPv4 address (octal, one number, full-width digits …). */
  #isSpecial(hostname: string): boolean {
    const host = hostname.replace(/^\[|\]$|\.$/g, "");
    if (host === "localhost" || host.endsWith(".localhost"))
      return !this.#allowed.contains("127.0.0.1") && !this.#allowed.contains("::1");
    return isIP(host) !== 0 && isSpecialAddress(host) && !this.#allowed.contains(host);
  }
}
