import { z } from "zod";
import { Language } from "../../platform/rpc/language.ts";
import { KeyRestrictions } from "../key-restrictions/contract.ts";

/** A real address as an owner sets it. */
export const GivenTarget = z.object({
  address: z.string(),
  isEnabled: z.boolean(),
  spfSuffices: z.boolean().optional(),
});

export const replacementProcedures = {
  /** In every binding, pattern and rule that leads to it; a new address that is not verified is sent a link, at a limited rate, and gets no mail before. */
  replaceRealAddress: {
    kind: "mutation",
    input: z.object({
      ownerId: z.uuid(),
      oldAddress: z.string(),
      newAddress: z.string(),
      apiKey: KeyRestrictions.optional(),
      /** Of the mail with the link; English if absent. */
      language: Language.optional(),
    }),
    output: z.object({ bindings: z.number().int() }),
  },
} as const;
