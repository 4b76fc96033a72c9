import { NIL } from "uuid";
import type { z } from "zod";
import type { Route } from "../../bindings/contract.ts";

/** In no table. */
export const operatorBindingId = NIL;

/**
 * The route of mail to postmaster and abuse: to the operator's address, or else stored for the operator alone. Binding and owner are
 * the nil UUID, which is in no table, so that such mail is processed like any other and belongs to no account.
 */
export function operatorRoute(serviceDomain: string, operatorAddress: string | undefined): z.output<typeof Route> {
  return {
    bindingId: operatorBindingId,
    ownerId: NIL,
    proxyAddress: `postmaster@${serviceDomain}`,
    targets: operatorAddress ? [{ addressId: NIL, address: operatorAddress }] : [],
    callbackUrl: "",
    isBrowsable: !operatorAddress,
    isStorageFull: false,
    unverifiedTargets: [],
    skippedTargets: [],
    answers: false,
    hasBlockedContacts: false,
    rules: [],
    newAddress: null,
    refusal: null,
  };
}
