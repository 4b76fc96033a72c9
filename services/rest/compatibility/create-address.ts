import type { z } from "zod";
import type { ProxyBinding } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Language } from "../../platform/rpc/language.ts";
import type { Caller } from "../http/endpoint.ts";
import type { Services } from "../services.ts";

interface AddressCreation {
  /** Absent: one is made up. */
  proxyAddress?: string | undefined;
  /** Where one is made up; absent: as the key is bound, or SERVICE_DOMAIN. */
  domain?: string | undefined;
  description: string;
  /** Absent: the key's targets, or else the account's own address. */
  realAddresses?: string[] | undefined;
  displayName?: string | undefined;
  /** Of the mail with a link. */
  language: Language;
}

/**
 * A new proxy binding for a password manager.
 * @throws Refusal RateLimited, ValidationFailed where it would lead nowhere, AddressTaken for one that there is, QuotaExceeded, Forbidden
 */
export async function createAddress(
  services: Services,
  caller: Caller,
  { realAddresses, ...creation }: AddressCreation,
): Promise<z.output<typeof ProxyBinding>> {
  const { isAllowed, retryAfterS } = await services.addressCreationLimit.consume(caller.key?.id ?? caller.accountId);
  if (!isAllowed)
    throw new Refusal("RateLimited", {
      public: "This key has made many addresses; please try again later.",
      retryAfterS,
    });
  const { binding, isCreated } = await services.bindings.create({
    ...creation,
    ownerId: caller.accountId,
    apiKey: caller.key,
    realAddresses: realAddresses ?? (await defaultTargets(services, caller)),
  });
  if (!isCreated) throw new Refusal("AddressTaken", { public: "There is such an address already." });
  return binding;
}

/** Undefined where the key's own targets are taken. @throws Refusal ValidationFailed where nobody would get the mail */
async function defaultTargets(services: Services, { accountId, key }: Caller): Promise<string[] | undefined> {
  if (key && key.targetIds.length > 0) return undefined;
  const [account] = await services.auth.accounts({ ids: [accountId] });
  if (!account?.isUsernameVerified || !account.username.includes("@"))
    throw new Refusal("ValidationFailed", {
      public:
        "The account's username is no address that mail can be forwarded to: use an API key that is bound to targets.",
    });
  return [account.username];
}
