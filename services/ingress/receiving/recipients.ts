import type { z } from "zod";
import type { bindingsContract, Resolution, ReverseRoute, Route } from "../../bindings/contract.ts";
import { type AddrSpec, splitAddress, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { type ReversePaths, reversePathPrefix } from "../../message/address/reverse-path.ts";
import { Batcher } from "../../platform/concurrency/batcher.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";

export type Bindings = Pick<Client<typeof bindingsContract>, "resolve">;

/** Local parts that every mail domain must accept (RFC 5321 section 4.5.1, RFC 2142 section 5). */
const operatorNames = new Set(["postmaster", "abuse"]);

/** An accepted recipient. `address` is as given at RCPT TO. */
export type Recipient =
  | { kind: "binding"; address: string; route: z.output<typeof Route> }
  /** A reverse address: the message may be an answer of its owner's. */
  | { kind: "reverse"; address: string; route: z.output<typeof ReverseRoute> }
  /** One of our reverse paths: forwarder reads the message as a bounce. */
  | { kind: "returned"; address: string }
  /** abuse@ of a domain, beside whom it is for: forwarder reads the message as a complaint. */
  | { kind: "complaint"; address: string };

interface RecipientsOptions {
  bindings: Bindings;
  reversePaths: ReversePaths;
  serviceDomain: string;
  /** Where mail to postmaster and abuse goes. */
  operatorRoute: z.output<typeof Route>;
}

/** The limit of bindings' contract. */
const addressesPerCall = 1_000;

/** Finds out which recipients are accepted. */
export class Recipients {
  readonly #options: RecipientsOptions;
  readonly #resolutions: Batcher<string, z.output<typeof Resolution>>;

  constructor(options: RecipientsOptions) {
    this.#options = options;
    // All connections share one call in flight: a further address costs far less than a further call.
    this.#resolutions = new Batcher({
      name: "resolve recipients",
      slots: 1,
      maxItems: addressesPerCall,
      // An address that bindings cannot answer for is refused by itself.
      onFailure: "isolate",
      run: (addresses) => options.bindings.resolve({ addresses: [...addresses] }),
    });
  }

  /**
   * Where mail to an address goes now; nothing is cached. Complaints about a domain of an account's own come to the operator as well, who
   * answers for what is sent from it: to the operator alone where the account takes no mail.
   * @throws SmtpRefusal if the address is unknown or its domain is not ours; Outage if bindings cannot be reached
   */
  async find(given: string): Promise<readonly [Recipient, ...Recipient[]]> {
    const address = withAsciiDomain(given);
    if (!isAbuseAddress(splitAddress(address))) return [await this.#find(address)];
    const copy: Recipient = { kind: "binding", address, route: this.#options.operatorRoute };
    try {
      const recipient = await this.#find(address);
      const isOperators = recipient.kind === "binding" && recipient.route.bindingId === copy.route.bindingId;
      return isOperators ? [recipient] : [recipient, copy];
    } catch (error) {
      // Where the domain is none of ours there is nobody to complain to here.
      if (!(error instanceof SmtpRefusal) || error.reason === "relayDenied") throw error;
      return [copy];
    }
  }

  async #find(address: string): Promise<Recipient> {
    const { serviceDomain, operatorRoute } = this.#options;
    const parts = splitAddress(address);
    if (isOperatorAddress(parts, serviceDomain)) return { kind: "binding", address, route: operatorRoute };
    if (looksLikeReversePath(parts, serviceDomain)) return this.#returned(address);
    const resolution = await this.#resolutions.submit(address);
    switch (resolution.outcome) {
      case "route":
        if (resolution.route.refusal)
          throw new SmtpRefusal(resolution.route.refusal.isTemporary ? "recipientSuspended" : "recipientDisabled");
        if (isOnlyKept(resolution.route) && resolution.route.isStorageFull) throw new SmtpRefusal("storageFull");
        return { kind: "binding", address, route: resolution.route };
      case "reverse":
        if (resolution.reverse.isAccountDisabled) throw new SmtpRefusal("recipientDisabled");
        if (!resolution.reverse.isSignable) throw new SmtpRefusal("notSignable");
        return { kind: "reverse", address, route: resolution.reverse };
      case "unknown":
        throw new SmtpRefusal("unknownRecipient");
      case "limited":
        throw new SmtpRefusal("tooManyNewAddresses");
      case "foreign":
        throw new SmtpRefusal("relayDenied");
    }
  }

  #returned(address: string): Recipient {
    if (this.#options.reversePaths.read(address, new Date()) === undefined) throw new SmtpRefusal("staleReversePath");
    return { kind: "returned", address };
  }
}

/** Whether mail of this route is neither forwarded nor called back. */
function isOnlyKept({ targets, callbackUrl, isBrowsable }: z.output<typeof Route>): boolean {
  return isBrowsable && targets.length === 0 && callbackUrl === "";
}

/** Whether an address has the form of a reverse path of ours. */
function looksLikeReversePath({ localPart, domain }: AddrSpec, serviceDomain: string): boolean {
  return localPart.toLowerCase().startsWith(reversePathPrefix) && domain.toLowerCase() === serviceDomain;
}

/** Whether mail to the address is for the operator. */
function isOperatorAddress({ localPart, domain }: AddrSpec, serviceDomain: string): boolean {
  return operatorNames.has(localPart.toLowerCase()) && ["", serviceDomain].includes(domain.toLowerCase());
}

/** Whether an address is the one for complaints, on any domain; a subaddress is none. */
export function isAbuseAddress({ localPart }: AddrSpec): boolean {
  return localPart.toLowerCase() === "abuse";
}
