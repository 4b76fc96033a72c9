import { initTRPC, TRPCError } from "@trpc/server";
import type { Logger } from "../logger.ts";
import { answeringKind, withSpan } from "../telemetry.ts";
import type { AnyImplementation, Contract } from "./contract.ts";
import { asRefusal, encodeError } from "./wire-errors.ts";

/** Builds the tRPC router of a service: every procedure's input and output are checked against its contract. */
export function createRouter(contract: Contract, implementation: AnyImplementation, logger: Logger) {
  const t = initTRPC.create({
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      data: { ...shape.data, stack: undefined, refusal: encodeError(error.cause ?? error, contract.service) },
    }),
  });
  const procedures = Object.entries(contract.procedures).map(([name, { kind, input, output }]) => {
    const run = async ({ input: given }: { input: unknown }) => {
      try {
        const span = { kind: answeringKind() };
        return await withSpan(`${contract.service}.${name}`, span, () => call(implementation, name, given));
      } catch (error) {
        const refusal = asRefusal(error);
        refusal.service ??= contract.service;
        if (refusal.kind === "Internal")
          logger.error({ err: error, id: refusal.id, procedure: name }, `${name} failed: ${refusal.message}`);
        throw new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: refusal });
      }
    };
    const procedure = t.procedure.input(input).output(output);
    return [name, kind === "query" ? procedure.query(run) : procedure.mutation(run)] as const;
  });
  return t.router(Object.fromEntries(procedures));
}

export type ServiceRouter = ReturnType<typeof createRouter>;

function call(implementation: AnyImplementation, name: string, input: unknown): Promise<unknown> {
  const procedure = implementation[name];
  if (!procedure) throw new Error(`procedure ${name} is in the contract and has no implementation`);
  return procedure(input as never);
}
