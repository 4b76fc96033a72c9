import type { z } from "zod";
import { Refusal, type ServiceError } from "../../platform/errors.ts";
import type { Endpoint } from "./endpoint.ts";

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

/**
 * A service's refusal in the words of this API: the service names a field of its own input (`realAddresses[1]`), which here
 * is a member of the body (`data.attributes.real_addresses[1]`) or a parameter of the query.
 */
export function namingMember(
  error: ServiceError,
  {
    body,
    query = {},
    members = "attributes",
    memberOf = {},
  }: Pick<Endpoint, "body" | "query" | "members" | "memberOf">,
): ServiceError {
  if (!(error instanceof Refusal) || !error.fieldFault) return error;
  const { kind, fieldFault, operatorMessage: operator, retryAfterS, service, id, cause } = error;
  const { field, fault } = fieldFault;
  const [parameter] = Object.entries(query).find(([, each]) => each.field === field) ?? [];
  const isPlain = members === "plain";
  // `realAddresses[1]`, and `realAddresses: entry 2` where the member is no array.
  const name = field.replace(/^\w+/, (root) => memberOf[root] ?? (isPlain ? root : snakeCase(root)));
  const inBody = isPlain ? name : `data.attributes.${name}`;
  const member = body ? inBody : (parameter ?? snakeCase(field));
  return new Refusal(kind, { public: `${member}: ${fault}`, operator, retryAfterS, service, id, cause });
}

function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function memberName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part).slice(0, 100)}`)).join("");
  return name === "" ? "body" : name.replace(/^\./, "");
}
