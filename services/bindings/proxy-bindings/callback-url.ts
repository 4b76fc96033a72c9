import { isIP } from "node:net";
import { type AddressRanges, isSpecialAddress } from "../../platform/net/special-ranges.ts";
import { invalid } from "./validation.ts";

const longestCharacters = 2_048;

/** Controls and spaces, which URL parsing would drop in silence, and unpaired surrogates, which it would replace. */
const unusable = /[\p{Cc}\p{Cs}\s]/u;

/** Judges callback URLs as they are set; where a host name leads is judged at connect, by webhook. */
export class CallbackUrls {
  readonly #allowed: AddressRanges;
  readonly #recorder: URL;

  constructor(allowed: AddressRanges, publicUrl: string) {
    this.#allowed = allowed;
    this.#recorder = new URL(`${publicUrl}/api/v1/callback/call/`);
  }

  /**
   * The URL as it was given; "" for none. A user and password in it are allowed: they are the caller's own, and sent to
   * nobody but that host. So is any port. The service's own recorder is allowed wherever it stands.
   * @throws Refusal ValidationFailed
   */
  check(given: string | null | undefined): string {
    if (given === undefined || given === null || given === "") return "";
    if (given.length > longestCharacters)
      throw invalid("callback_url", `has more than ${longestCharacters} characters.`);
    const url = unusable.test(given) || !URL.canParse(given) ? undefined : new URL(given);
    // The parser also takes http:host, without slashes, for an absolute URL.
    if (!url || !/^https?:\/\//i.test(given)) throw invalid("callback_url", "must be an absolute http or https URL.");
    if (!this.#isRecorder(url) && this.#isSpecial(url.hostname)) {
      throw invalid(
        "callback_url",
        "its host is a loopback, private or otherwise special address, which callbacks may not reach.",
      );
    }
    return given;
  }

  #isRecorder({ origin, pathname }: URL): boolean {
    return origin === this.#recorder.origin && pathname.startsWith(this.#recorder.pathname);
  }

  /** The parser has brought every notation of an IPv4 address (octal, one number, full-width digits …) into the usual one. */
  #isSpecial(hostname: string): boolean {
    const host = hostname.replace(/^\[|\]$|\.$/g, "");
    if (host === "localhost" || host.endsWith(".localhost"))
      return !this.#allowed.contains("127.0.0.1") && !this.#allowed.contains("::1");
    return isIP(host) !== 0 && isSpecialAddress(host) && !this.#allowed.contains(host);
  }
}
