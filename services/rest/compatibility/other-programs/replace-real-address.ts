import { z } from "zod";
import { languageOf } from "../../../platform/http/language-of.ts";
import { endpoint, respond } from "../../http/endpoint.ts";
import { ErrorDocument, requestOf, wellFormedText } from "../../http/schemas.ts";

export const replaceRealEmail = endpoint({
  name: "replaceRealEmail",
  tag: "Other programs",
  summary: "Put another real address in the place of one, in all proxy bindings, patterns and rules",
  description:
    "The new address is sent a link, unless it is verified already, and gets no mail before. Where patterns or rules lead to the old one, some proxy address has to have the new one switched on, or it is the account's own.",
  method: "POST",
  path: "/api/v1/emails/replace",
  credentials: "token or bearer",
  scope: "alias:write",
  body: requestOf("replace-real-emails", {
    oldEmail: wellFormedText("an email address"),
    newEmail: wellFormedText("an email address"),
  }),
  memberOf: { oldEmail: "oldEmail", newEmail: "newEmail" },
  responses: {
    200: z.object({}),
    400: ErrorDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    413: ErrorDocument,
    415: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, caller, body, request }) {
    const { oldEmail: oldAddress, newEmail: newAddress } = body.data.attributes;
    await services.bindings.replaceRealAddress({
      ownerId: caller.accountId,
      apiKey: caller.key,
      oldAddress,
      newAddress,
      language: languageOf(request),
    });
    return respond(200, {});
  },
});
