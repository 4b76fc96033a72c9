import { z } from "zod";

/** The restrictions of an API key on bindings; without a domain and targets it has none. */
export const KeyRestrictions = z.object({
  domain: z.string().nullable(),
  /** Ids of targets, or addresses. */
  targetIds: z.array(z.string()),
  /** Of the key: without alias:read it is shown no binding that is there already. */
  scopes: z.array(z.string()).optional(),
});
