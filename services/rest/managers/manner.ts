import { z } from "zod";
import type { Scope } from "../../platform/security/scopes.ts";
import { type Answer, answer, type Call, type Endpoint, endpoint, type Manner } from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";

/** The contract's error, and beside it what programs of other services read. */
export const MannerError = ErrorDocument.extend({
  error: z.string().meta({ description: "The same as `data.attributes.message`" }),
  message: z.string().meta({ description: "The same" }),
}).meta({ id: "MannerError" });

interface Declaration<B extends z.ZodType | undefined>
  extends Pick<Endpoint, "name" | "summary" | "description" | "query" | "path"> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  scope: Scope;
  body?: B;
  answers: Readonly<Record<number, z.ZodType>>;
  /** Statuses of refusals beside 401, 403, 503, and those of a body: 400, 413, 415, 422. */
  refusals?: readonly (400 | 404 | 409 | 422 | 429)[];
  handle(call: Call<"token or bearer", B extends z.ZodType ? z.output<B> : undefined>): Promise<Answer>;
}

/** An endpoint in the manner of another service; an empty body stands for an empty object. */
export function endpointIn(manner: Manner) {
  return <B extends z.ZodType | undefined = undefined>({
    answers,
    refusals = [],
    ...declaration
  }: Declaration<B>): Endpoint => {
    const implied = [
      401,
      403,
      503,
      ...(declaration.body ? [400, 413, 415, 422] : []),
      ...(declaration.query ? [422] : []),
    ];
    const refused = Object.fromEntries([...implied, ...refusals].map((status) => [status, MannerError]));
    return endpoint<"token or bearer", B>({
      ...declaration,
      tag: "Password managers",
      credentials: "token or bearer",
      manner,
      members: "plain",
      isBodyOptional: true,
      answers: { ...answers, ...refused },
    });
  };
}

export const simpleLogin = endpointIn({ credential: "any header", quotaStatus: 400 });
export const addy = endpointIn({ credential: "any header", quotaStatus: 403 });
export { answer };
