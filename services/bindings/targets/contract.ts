import { z } from "zod";

/** A real address of an account, whichever bindings lead to it. */
export const AccountTarget = z.object({
  id: z.uuid(),
  /** Its integer id, for programs whose ids are integers. */
  number: z.number().int(),
  address: z.string(),
  isVerified: z.boolean(),
  /** The account's own address, its username. */
  isOwn: z.boolean(),
  /** How many bindings lead to it. */
  bindings: z.number().int(),
});

export const targetProcedures = {
  /** The account's own address, and those that its bindings lead to. */
  targets: { kind: "mutation", input: z.object({ ownerId: z.uuid() }), output: z.array(AccountTarget) },
} as const;
