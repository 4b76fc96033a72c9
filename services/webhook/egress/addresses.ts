import { isIP } from "node:net";
import { type AddressRanges, isSpecialAddress } from "../../platform/net/special-ranges.ts";
import { AttemptFailure } from "./failure.ts";
import type { Resolve } from "./resolver.ts";

/** Few are tried in turn; a target's own name server says how many there are. */
const maxAddresses = 4;

/** Finds out where a callback may connect to, at the moment of connecting. */
export class CallbackAddresses {
  readonly #resolve: Resolve;
  readonly #allowed: AddressRanges;

  /** @param allowed special ranges that may be reached all the same */
  constructor(resolve: Resolve, allowed: AddressRanges) {
    this.#resolve = resolve;
    this.#allowed = allowed;
  }

  /**
   * The addresses that a URL's host stands for and that may be connected to. The caller has to connect to these and no
   * others: a name that is resolved again may have become another (DNS rebinding). The sentence of a refusal names no
   * address, so that it does not disclose how internal names resolve.
   * @param hostname as URL.hostname has it: normalised, an IPv6 address in brackets
   * @throws AttemptFailure
   */
  async of(hostname: string): Promise<string[]> {
    const literal = hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = isIP(literal) ? [literal] : await this.#resolve(hostname.replace(/\.$/, ""));
    const allowed = addresses.filter((address) => !isSpecialAddress(address) || this.#allowed.contains(address));
    if (allowed.length === 0)
      throw new AttemptFailure(
        "The target's address is a private or otherwise special one: callbacks may not go there.",
      );
    return allowed.slice(0, maxAddresses);
  }
}
