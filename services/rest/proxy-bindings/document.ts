import type { z } from "zod";
import type { BindingOutcome, BindingPage, ProxyBinding, RealAddress } from "../../bindings/contract.ts";
import { timestamp } from "../http/schemas.ts";
import type { ProxyBindingChange, ProxyBindingDocument, ProxyBindingListDocument } from "./schema.ts";

type Binding = z.output<typeof ProxyBinding>;
type Address = z.output<typeof RealAddress>;

export function bindingDocument({
  binding,
  isVerificationSent,
  isFirstBinding,
}: z.output<typeof BindingOutcome>): z.output<typeof ProxyBindingDocument> {
  return {
    meta: { isVerificationEmailSend: isVerificationSent, firstProxyBinding: isFirstBinding },
    data: resource(binding, stateOf),
  };
}

type Page = z.output<typeof BindingPage>;
type ListDocument = z.output<typeof ProxyBindingListDocument>;

export function listMeta({ used, available }: Page): Pick<ListDocument, "meta"> {
  return {
    meta: { usedProxyBindings: used, availableProxyBindings: available, isVerificationEmailSend: false },
  };
}

export function listItems({ bindings }: Page): ListDocument["data"] {
  return bindings.map(listedBinding);
}

/** A binding as the list shows it. */
export function listedBinding(binding: Binding): ListDocument["data"][number] {
  return resource(binding, (address) => ({
    ...stateOf(address),
    is_verification_needed: address.isVerificationNeeded,
  }));
}

function stateOf(address: Address) {
  return { is_enabled: address.isEnabled, is_verified: address.isVerified };
}

function resource<S>(binding: Binding, state: (address: Address) => S) {
  return {
    type: "proxy_bindings" as const,
    id: binding.id,
    attributes: {
      real_addresses: Object.fromEntries(binding.realAddresses.map((address) => [address.address, state(address)])),
      proxy_address: binding.proxyAddress,
      received_emails: binding.receivedEmails,
      description: binding.description,
      callback_url: binding.callbackUrl,
      type: binding.isAutomatic ? (1 as const) : (0 as const),
      is_browsable: binding.isBrowsable,
      created_at: timestamp(binding.createdAt),
      updated_at: timestamp(binding.updatedAt),
    },
    relationships: { user: { data: { type: "users" as const, id: binding.ownerId } } },
  };
}

type Settings = Pick<
  z.output<typeof ProxyBindingChange>["data"]["attributes"],
  "description" | "callback_url" | "is_browsable"
>;

/** What a request sets, beside the addresses, as the contract of bindings names it. */
export function settingsOf({ description, callback_url, is_browsable }: Settings) {
  return { description, callbackUrl: callback_url, isBrowsable: is_browsable };
}
