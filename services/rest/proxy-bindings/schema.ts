import { z } from "zod";
import { bindingLimits } from "../../bindings/contract.ts";
import { callbackUrlCharacters } from "../../platform/net/callback-urls.ts";
import {
  absentIfNull,
  Count,
  Id,
  looseBoolean,
  requestOf,
  Timestamp,
  UserRelationship,
  wellFormedText,
} from "../http/schemas.ts";

const { realAddresses, addressCharacters, descriptionCharacters } = bindingLimits;

// The limits are those that bindings holds a request to: it says itself what is wrong with what is beyond.
const address = wellFormedText("an email address").meta({ minLength: 1, maxLength: addressCharacters });
const proxyAddress = wellFormedText("an email address").meta({ maxLength: addressCharacters });
const callbackUrl = wellFormedText("a URL").meta({ maxLength: callbackUrlCharacters }).nullish().meta({
  description: "Called on each new email; null or empty for none. Not a loopback, private or otherwise special address",
});
const description = absentIfNull(wellFormedText("a string").meta({ maxLength: descriptionCharacters })).meta({
  description: `Free text, at most ${descriptionCharacters.toLocaleString("en")} characters`,
});
const isBrowsable = absentIfNull(looseBoolean);

export const ProxyBindingCreation = requestOf("proxy_bindings", {
  real_addresses: absentIfNull(
    z.array(address, { error: "expected an array of email addresses" }).meta({ maxItems: realAddresses }),
  ).meta({
    description: `At most ${realAddresses}; absent or empty: one on the reserved internal domain is made up`,
  }),
  proxy_address: proxyAddress.nullish().meta({ description: "Absent, null or empty: one is made up" }),
  callback_url: callbackUrl,
  is_browsable: isBrowsable,
  description,
}).meta({
  id: "ProxyBindingCreation",
  example: {
    data: {
      type: "proxy_bindings",
      attributes: {
        real_addresses: ["jane@example.com"],
        proxy_address: "",
        callback_url: "https://example.com/new-email",
        is_browsable: true,
        description: "The shop around the corner",
      },
    },
  },
});

const enabledFlag = z.boolean({ error: "expected true or false" });

/** The new set of real addresses, as address → flag, as address → object, or as a list of addresses that are all enabled. */
const RealAddressChange = z
  .union(
    [
      z.array(address).meta({ minItems: 1, maxItems: realAddresses }),
      z
        .record(address, z.union([enabledFlag, z.object({ is_enabled: enabledFlag })]))
        .meta({ minProperties: 1, maxProperties: realAddresses }),
    ],
    { error: "expected an object of email address to true or false, or an array of email addresses" },
  )
  .transform((given) =>
    Array.isArray(given)
      ? given.map((each) => ({ address: each, isEnabled: true }))
      : Object.entries(given).map(([each, flag]) => ({
          address: each,
          isEnabled: typeof flag === "boolean" ? flag : flag.is_enabled,
        })),
  );

export const ProxyBindingChange = requestOf("proxy_bindings", {
  real_addresses: absentIfNull(RealAddressChange).meta({
    description: `The whole new set, and whether each is enabled; from 1 to ${realAddresses}`,
  }),
  proxy_address: address
    .min(1, { error: "expected an email address" })
    .optional()
    .meta({ description: "Must be the one that it has" }),
  description,
  callback_url: callbackUrl,
  is_browsable: isBrowsable,
  new_real_address: absentIfNull(address).meta({ description: "Added to the real addresses" }),
  wildcard_auto_create: absentIfNull(looseBoolean).meta({
    description:
      "true: where the binding's domain is one's own, mail to its other addresses leads where the binding does (a pattern `*`, if there is none)",
  }),
  received_emails: z.unknown().optional().meta({ description: "Read-only: accepted and ignored" }),
}).meta({
  id: "ProxyBindingChange",
  example: {
    data: {
      id: "018d2475-0f3c-7c11-8a52-6b1d3f5e9a00",
      type: "proxy_bindings",
      attributes: {
        real_addresses: { "jane@example.com": true, "jane@example.org": false },
        description: "The shop around the corner, and its branch",
      },
    },
  },
});

const RealAddressState = z.object({
  is_enabled: z.boolean(),
  is_verified: z.boolean().meta({ description: "Proved by the link that was sent to it" }),
});

const bindingOf = <S extends z.ZodType>(realAddress: S) =>
  z.object({
    type: z.literal("proxy_bindings"),
    id: Id,
    attributes: z.object({
      real_addresses: z.record(z.string(), realAddress).meta({ description: "By email address" }),
      proxy_address: z.string().meta({ example: "bagel-tulip-cocoa-river@postern.localhost" }),
      received_emails: Count,
      description: z.string(),
      callback_url: z.string().meta({ description: "Empty when unset" }),
      type: z.union([z.literal(0), z.literal(1)]).meta({ description: "0 made by its owner, 1 made by the service" }),
      is_browsable: z.boolean(),
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
    relationships: UserRelationship,
  });

/** The response to creation and change. */
export const ProxyBindingDocument = z
  .object({
    meta: z.object({
      isVerificationEmailSend: z.boolean().meta({ description: "This very call sent a link" }),
      firstProxyBinding: z.boolean().meta({ description: "This call made the account's first binding" }),
    }),
    data: bindingOf(RealAddressState),
  })
  .meta({ id: "ProxyBinding" });

const ListedProxyBinding = bindingOf(RealAddressState.extend({ is_verification_needed: z.boolean() }));

export const ListedProxyBindingDocument = z.object({ data: ListedProxyBinding }).meta({ id: "ListedProxyBinding" });

export const ProxyBindingListDocument = z
  .object({
    meta: z.object({
      usedProxyBindings: Count,
      availableProxyBindings: Count.meta({ description: "The limit in all, not what is left" }),
      isVerificationEmailSend: z.boolean().meta({ description: "Never true in the list" }),
    }),
    data: z.array(ListedProxyBinding),
  })
  .meta({ id: "ProxyBindingList" });
