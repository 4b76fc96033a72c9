import { rangesOf } from "../../platform/net/special-ranges.ts";
import { CallbackAddresses } from "./addresses.ts";
import { type CallbackResponse, post } from "./post.ts";
import { type ReadResponse, readUrl } from "./read-url.ts";
import { createResolver } from "./resolver.ts";

export interface EgressSettings {
  /** Special ranges that may be reached all the same, in CIDR notation. */
  allowedCidrs: readonly string[];
  /** Name servers; none: the system's. */
  nameServers: readonly string[];
  timeoutMs: number;
}

/** Another service waits for what is read, and for no longer than a call takes. */
const readTimeoutMs = 8_000;

/** Sends requests to URLs that users gave. */
export class Egress {
  readonly #addresses: CallbackAddresses;
  readonly #timeoutMs: number;

  /** @throws ConfigurationError for a range that is none */
  constructor({ allowedCidrs, nameServers, timeoutMs }: EgressSettings) {
    this.#addresses = new CallbackAddresses(createResolver(nameServers), rangesOf(allowedCidrs));
    this.#timeoutMs = timeoutMs;
  }

  /** See `post`. @throws AttemptFailure */
  post(url: string, headers: Readonly<Record<string, string>>, body: readonly Buffer[]): Promise<CallbackResponse> {
    return post(url, headers, body, { addresses: this.#addresses, timeoutMs: this.#timeoutMs });
  }

  /** See `read`. @throws AttemptFailure */
  read(url: string, headers: Readonly<Record<string, string>>): Promise<ReadResponse> {
    return readUrl(url, headers, { addresses: this.#addresses, timeoutMs: readTimeoutMs });
  }
}
