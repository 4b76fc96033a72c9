import { z } from "zod";
import { invalidField } from "../../platform/errors.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import { BindingSettings, bindingLimits } from "../contract.ts";
import { Pattern } from "../domains/contract.ts";
import { RuleActions, RuleConditions } from "../rules/contract.ts";
import { importLimits } from "./contract.ts";
import { asJson, Entry } from "./entries.ts";

const text = z.string().max(1_000);

/** What GET /export writes, as far as it is read back. Members that are not known here are left out, the mail among them. */
const Export = z.object({
  proxyBindings: z
    .array(
      z.object({
        id: text,
        proxyAddress: text,
        isAutomatic: z.boolean().default(false),
        ...BindingSettings.shape,
        realAddresses: z
          .array(
            z.object({
              address: text,
              isEnabled: z.boolean(),
              isVerified: z.boolean().default(false),
              isVerificationNeeded: z.boolean().default(true),
              spfSuffices: z.boolean().optional(),
            }),
          )
          .max(bindingLimits.realAddresses)
          .default([]),
      }),
    )
    .max(importLimits.entries),
  domains: z
    .array(z.object({ id: text.default(""), name: text, patterns: z.array(Pattern).max(50).default([]) }))
    .max(1_000)
    .default([]),
  contacts: z
    .array(z.object({ bindingId: text, address: text, name: text.default(""), isBlocked: z.boolean().default(false) }))
    .max(importLimits.entries)
    .default([]),
  rules: z
    .array(
      z.object({
        id: z.uuid(),
        bindingId: text.nullable(),
        domainId: text.nullable(),
        name: text.default(""),
        conditions: RuleConditions,
        actions: RuleActions,
        expiresAt: Moment.nullable().default(null),
      }),
    )
    .max(importLimits.entries)
    .default([]),
  websites: z
    .array(z.object({ bindingId: text, sites: z.array(text).max(100) }))
    .max(importLimits.entries)
    .default([]),
});

/** In the order in which they can be made. @throws Refusal ValidationFailed for what is no export, or too much */
export function readExport(content: string): Entry[] {
  const given = asJson(content);
  if (given === undefined) throw invalidField("content", "is no JSON.");
  const { proxyBindings, domains, contacts, websites, rules } = parsed(Export, given);
  const addressOf = new Map(proxyBindings.map(({ id, proxyAddress }) => [id, proxyAddress]));
  const nameOf = new Map(domains.map(({ id, name }) => [id, name]));
  const sitesOf = new Map(websites.map(({ bindingId, sites }) => [bindingId, sites]));
  const entries: unknown[] = [
    ...domains.map(({ name }) => ({ kind: "domain", name })),
    ...proxyBindings.map(({ id, proxyAddress, realAddresses, isAutomatic: _, ...settings }) => ({
      kind: "address",
      address: proxyAddress,
      settings: { ...settings, callbackUrl: settings.callbackUrl ?? "" },
      // Neither verified nor to be verified: on the reserved internal domain.
      targets: realAddresses.map(({ isVerified, isVerificationNeeded, ...target }) => ({
        ...target,
        isInternal: !isVerified && !isVerificationNeeded,
      })),
      sites: sitesOf.get(id) ?? [],
    })),
    ...domains
      .filter(({ patterns }) => patterns.length > 0)
      .map(({ name, patterns }) => ({ kind: "patterns", domain: name, patterns })),
    ...contacts.flatMap(({ bindingId, ...contact }) => {
      const of = addressOf.get(bindingId);
      return of === undefined ? [] : [{ kind: "contact", of, ...contact }];
    }),
    ...rules.flatMap(({ bindingId, domainId, ...rule }) => {
      const [of, domain] = [addressOf.get(bindingId ?? "") ?? null, nameOf.get(domainId ?? "") ?? null];
      const isLost = (bindingId !== null && of === null) || (domainId !== null && domain === null);
      return isLost ? [] : [{ kind: "rule", of, domain, ...rule }];
    }),
  ];
  if (entries.length > importLimits.entries)
    throw invalidField("content", `has more than ${importLimits.entries} entries.`);
  return parsed(z.array(Entry), entries);
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalidField("content", `is no export of an account: ${issue?.path.join(".") || "it"}: ${issue?.message}.`);
}
