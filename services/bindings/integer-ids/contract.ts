import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";

const IntegerId = z.object({ id: z.uuid(), number: z.number().int() });

/** The integer ids of bindings and contacts, for programs whose ids are integers. */
export const integerIdProcedures = {
  /** Of all bindings of the account. */
  bindingIntegerIds: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid() }),
    output: z.array(IntegerId),
  },
  bindingOfIntegerId: {
    kind: "query",
    input: z.object({ ownerId: z.uuid(), number: z.number().int() }),
    output: z.object({ id: z.uuid() }),
  },
  contactIntegerIds: {
    kind: "mutation",
    input: z.object({ ownerId: z.uuid(), ids: z.array(GivenId).max(1_000) }),
    output: z.array(IntegerId),
  },
  contactOfIntegerId: {
    kind: "query",
    input: z.object({ ownerId: z.uuid(), number: z.number().int() }),
    output: z.object({ id: z.uuid(), isBlocked: z.boolean() }),
  },
} as const;
