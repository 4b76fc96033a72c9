import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";
import { KeyRestrictions } from "../key-restrictions/contract.ts";

/** What of an account's bindings is listed, and in which order. Without `first`: all of them. */
export const BindingListing = z.object({
  ownerId: z.uuid(),
  sort: z.enum(["asc", "desc"]).default("desc"),
  /** What `sort` is about; where two are alike, age decides. */
  order: z.enum(["created", "address", "received", "last-received"]).default("created"),
  /** Those alone that forward to somebody, or to nobody. */
  isOn: z.boolean().optional(),
  /** Those alone that are on it. */
  domain: z.string().optional(),
  first: z.number().int().positive().max(1_000).optional(),
  after: z.string().optional(),
  search: z.string().optional(),
  /** Whether all that match are to be counted, even where that takes a look at each. */
  isCounted: z.boolean().default(true),
});

export type Listing = z.output<typeof BindingListing>;

/** Errors: NotFound, ValidationFailed, Forbidden. */
export const toggleAndWebsiteProcedures = {
  /** Switches all real addresses of a binding off, or on again those that it switched off; without `isEnabled` to what it is not. */
  toggle: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      id: GivenId,
      isEnabled: z.boolean().optional(),
      apiKey: KeyRestrictions.optional(),
    }),
    output: z.object({ isEnabled: z.boolean() }),
  },
  /** Web sites that addresses were given to. */
  websites: {
    kind: "query",
    /** `bindingIds`: of these alone. */
    input: z.object({ ownerId: z.uuid(), bindingIds: z.array(GivenId).max(1_000).optional() }),
    output: z.array(z.object({ bindingId: z.uuid(), sites: z.array(z.string()) })),
  },
  setWebsites: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      bindingId: GivenId,
      sites: z.array(z.string()),
      apiKey: KeyRestrictions.optional(),
    }),
    output: z.object({}),
  },
} as const;
