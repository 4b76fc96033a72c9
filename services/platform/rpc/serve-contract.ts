import { asServiceError, Outage } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { answeringKind, withSpan } from "../telemetry/spans.ts";
import type { AnyImplementation, Contract } from "./contract.ts";
import { outputCopy } from "./output-copy.ts";

/** Calls a procedure of a service by its name. @throws ServiceError, and nothing else */
export type Serve = (name: string, input: unknown) => Promise<unknown>;

/** How a service answers, however it is reached: each procedure's input is checked against the contract, and its output made a copy of by it. */
export function serveContract(contract: Contract, implementation: AnyImplementation, logger: Logger): Serve {
  return async (name, given) => {
    try {
      const procedure = contract.procedures[name];
      const run = implementation[name];
      // Its caller is of a later release, and this process cannot answer it yet.
      if (!procedure || !run) throw new Outage(contract.service, { operator: `it has no procedure ${name}` });
      const input = procedure.input.parse(given);
      const span = { kind: answeringKind() };
      const output = await withSpan(`${contract.service}.${name}`, span, () => run(input as never));
      return outputCopy(procedure.output)(output);
    } catch (error) {
      const refusal = asServiceError(error);
      refusal.service ??= contract.service;
      if (refusal.kind === "Internal")
        logger.error({ err: error, id: refusal.id, procedure: name }, "procedure failed");
      throw refusal;
    }
  };
}
