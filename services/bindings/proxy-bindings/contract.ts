import { z } from "zod";

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
