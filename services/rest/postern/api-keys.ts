import { z } from "zod";
import { ApiKey as AuthApiKey } from "../../auth/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { scopes } from "../../platform/security/scopes.ts";
import { absentIfNull, wellFormedText } from "../http/schemas.ts";
import { declaredResource } from "./resource.ts";

const PutApiKey = z
  .object(
    {
      scopes: z
        .array(z.enum(scopes, { error: `expected one of ${scopes.join(", ")}` }), {
          error: "expected a list of scopes",
        })
        .min(1),
      domain: absentIfNull(wellFormedText("a domain")).meta({
        description: "What it makes and changes is on this domain; any if absent",
      }),
      targetIds: absentIfNull(z.array(wellFormedText("an id of a target, or an address"))).meta({
        description: "What it makes and changes leads to these, by id or address; anywhere if absent",
      }),
      expiresAt: absentIfNull(wellFormedText("a time")).meta({ description: "ISO 8601; never if absent" }),
    },
    { error: "expected an object" },
  )
  .meta({ id: "PutApiKey", example: { scopes: ["alias:read", "mail:read"], expiresAt: "2099-01-01T00:00:00.000Z" } });

const ApiKey = AuthApiKey.extend({
  key: z
    .string()
    .optional()
    .meta({ description: "The key itself, in the answer to the PUT that made it and never again" }),
}).meta({ id: "ApiKey" });

const proof =
  "An API key can never do this; the API token can have shown and put again what is there. Whatever makes, changes or removes a key takes a bearer token, within 10 minutes of its password or passkey (403 FreshProofRequired).";

export const apiKeyEndpoints = declaredResource({
  name: "ApiKey",
  path: "/keys",
  document: ApiKey,
  body: PutApiKey,
  list: {
    summary: "List the API keys",
    description: "What each is held to, and when it was used; none of the keys themselves.",
    scope: "session",
    handle: ({ services, caller }) => services.auth.apiKeys({ accountId: caller.accountId }),
  },
  show: {
    summary: "Show an API key, named by its id or its name",
    scope: "session",
    async handle({ services, caller, id }) {
      const keys = await services.auth.apiKeys({ accountId: caller.accountId });
      const found = keys.find((each) => each.id === id.toLowerCase()) ?? keys.find(({ name }) => name === id);
      if (!found) throw new Refusal("NotFound", { public: "There is no such API key." });
      return found;
    },
  },
  put: {
    summary: "Make an API key exactly what is given",
    description: `Named by its id, or by its name, by which it is made where you have none such (201, and \`key\` is shown this once). The same request again changes nothing. 409 where several have the name: use the id. ${proof}`,
    scope: "session",
    refusals: [404, 409],
    async handle({ services, caller: { accountId, sessionId }, id: idOrName, body }) {
      const { apiKey, key, isCreated } = await services.auth.putApiKey({ accountId, sessionId, idOrName, ...body });
      return { data: { ...apiKey, ...(key === null ? {} : { key }) }, isCreated };
    },
  },
  remove: {
    summary: "Revoke an API key, named by its id or its name",
    description: `It is worth nothing from then on. 409 where several have the name: use the id. ${proof}`,
    scope: "session",
    refusals: [409],
    handle: ({ services, caller: { accountId, sessionId }, id: idOrName }) =>
      services.auth.removeApiKey({ accountId, sessionId, idOrName }),
  },
});
