import { initTRPC, TRPCError } from "@trpc/server";
import type { Contract } from "./contract.ts";
import type { Serve } from "./serving.ts";
import { encodeError } from "./wire-errors.ts";

/** What is given and answered is looked at where it is served, and only there. */
const asItCame = (value: unknown) => value;

/** The tRPC router by which a service is reached over HTTP. */
export function createRouter(contract: Contract, serve: Serve) {
  const t = initTRPC.create({
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      data: { ...shape.data, stack: undefined, refusal: encodeError(error.cause ?? error, contract.service) },
    }),
  });
  const procedures = Object.entries(contract.procedures).map(([name, { kind }]) => {
    const run = async ({ input }: { input: unknown }) => {
      try {
        return await serve(name, input);
      } catch (cause) {
        throw new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });
      }
    };
    const procedure = t.procedure.input(asItCame);
    return [name, kind === "query" ? procedure.query(run) : procedure.mutation(run)] as const;
  });
  return t.router(Object.fromEntries(procedures));
}

export type ServiceRouter = ReturnType<typeof createRouter>;
