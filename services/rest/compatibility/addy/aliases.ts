import { z } from "zod";
import type { ProxyBinding } from "../../../bindings/contract.ts";
import { splitAddress } from "../../../message/address/addr-spec.ts";
import { languageOf } from "../../../platform/http/language-of.ts";
import { respond } from "../../http/endpoint.ts";
import { absentIfNull, Count, Id, Timestamp, timestamp, wellFormedText } from "../../http/schemas.ts";
import { createAddress } from "../create-address.ts";
import { addy } from "../endpoint.ts";

const text = absentIfNull(wellFormedText("a string"));

const NewAlias = z.object({
  domain: text.meta({ description: "Where the address is made up; absent or empty: where the key may make it" }),
  description: text,
  local_part: text.meta({ description: "Chosen, where `format` is custom" }),
  format: text,
});

const Recipient = z.object({ id: Id, email: z.string() });

const AliasDocument = z
  .object({
    data: z.object({
      id: Id,
      user_id: Id,
      local_part: z.string(),
      extension: z.null(),
      domain: z.string(),
      email: z.string(),
      active: z.boolean(),
      description: z.string().nullable(),
      from_name: z.string().nullable(),
      emails_forwarded: Count,
      emails_blocked: Count,
      emails_replied: Count,
      emails_sent: Count,
      recipients: z.array(Recipient),
      created_at: Timestamp,
      updated_at: Timestamp,
      deleted_at: z.null(),
    }),
  })
  .meta({ id: "AddyAlias" });

function aliasDocument(binding: z.output<typeof ProxyBinding>): z.output<typeof AliasDocument> {
  const { id, ownerId, proxyAddress, description, realAddresses, receivedEmails, refusedEmails } = binding;
  const { localPart, domain } = splitAddress(proxyAddress);
  return {
    data: {
      id,
      user_id: ownerId,
      local_part: localPart,
      extension: null,
      domain,
      email: proxyAddress,
      active: realAddresses.some(({ isEnabled }) => isEnabled),
      description: description === "" ? null : description,
      from_name: null,
      emails_forwarded: receivedEmails,
      emails_blocked: refusedEmails,
      emails_replied: 0,
      emails_sent: 0,
      recipients: realAddresses.map((each) => ({ id: each.id, email: each.address })),
      created_at: timestamp(binding.createdAt),
      updated_at: timestamp(binding.updatedAt),
      deleted_at: null,
    },
  };
}

const makeAlias = (name: string, path: string) =>
  addy({
    name,
    summary: "Make a proxy address, as addy.io does",
    description: "It leads to the key's targets, or else to the account's own address. 60 an hour for one key.",
    method: "POST",
    path,
    scope: "alias:create",
    body: NewAlias,
    memberOf: { proxyAddress: "local_part" },
    responses: { 201: AliasDocument },
    refusals: [409, 429],
    async handle({ services, caller, request, body: { domain = "", description = "", local_part = "", format } }) {
      const isChosen = local_part !== "" && (format === undefined || format === "custom");
      const chosen = isChosen
        ? { proxyAddress: `${local_part}@${domain || services.serviceDomain}` }
        : { domain: domain === "" ? undefined : domain };
      const creation = { ...chosen, description, language: languageOf(request) };
      return respond(201, aliasDocument(await createAddress(services, caller, creation)));
    },
  });

/** addy.io's own path, at the origin and under /addy. */
export const addyEndpoints = [
  makeAlias("makeAddyAlias", "/api/v1/aliases"),
  makeAlias("makeAddyAliasUnderAddy", "/addy/api/v1/aliases"),
] as const;
