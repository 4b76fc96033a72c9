import { NIL } from "uuid";
import type { z } from "zod";
import type { Route } from "../bindings/contract.ts";

/** No table holds it. */
export const operatorBindingId = NIL;

/**
 * The route of mail to postmaster and abuse: to the operator's address, or else kept where only an operator looks. Its
 * binding and owner are the nil UUID, which no table holds, so that it takes the way of all mail and is nobody's.
 */
export function operatorRoute(serviceDomain: string, operatorAddress: string | undefined): z.output<typeof Route> {
  return {
    bindingId: operatorBindingId,
    ownerId: NIL,
    proxyAddress: `postmaster@${serviceDomain}`,
    targets: operatorAddress ? [{ addressId: NIL, address: operatorAddress }] : [],
    callbackUrl: "",
    isBrowsable: !operatorAddress,
  };
}
