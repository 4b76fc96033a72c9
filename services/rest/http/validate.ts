import type { z } from "zod";
import { Refusal } from "../../platform/errors.ts";

/**
 * What a schema makes of a value from outside.
 * @throws Refusal ValidationFailed whose message names each member that is wrong, and what was expected of it.
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  const faults = outcome.error.issues.slice(0, 5).map((issue) => `${memberName(issue.path)}: ${issue.message}`);
  throw new Refusal("ValidationFailed", { public: `${faults.join("; ")}.` });
}

function memberName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part).slice(0, 100)}`)).join("");
  return name === "" ? "body" : name.replace(/^\./, "");
}
