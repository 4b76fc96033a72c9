import { z } from "zod";
import { endpoint, respond } from "../../http/endpoint.ts";
import { ErrorDocument, wellFormedText } from "../../http/schemas.ts";

const refusals = { 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument };
const refusalsOfBody = {
  400: ErrorDocument,
  413: ErrorDocument,
  415: ErrorDocument,
  422: ErrorDocument,
  429: ErrorDocument,
};

const CodeBody = z.object(
  { data: z.object({ code: wellFormedText("a string of digits") }, { error: "expected an object" }) },
  { error: "expected an object" },
);

const declared = {
  tag: "Other programs",
  description: "Takes a bearer token whose password or passkey was given within 10 minutes.",
  credentials: "bearer",
  scope: "session",
} as const;

const beginSecondFactor = endpoint({
  ...declared,
  name: "beginSecondFactor",
  summary: "Begin to set up a second factor",
  method: "POST",
  path: "/api/v1/2fa-google",
  responses: {
    200: z.object({
      qr_url: z.string().meta({ description: "To be shown as a QR code (otpauth)" }),
      secret: z.string(),
    }),
    409: ErrorDocument,
    ...refusals,
  },
  async handle({ services, bearer }) {
    const { secret, uri } = await services.auth.beginSecondFactor(await services.auth.provenCaller({ bearer }));
    return respond(200, { qr_url: uri, secret });
  },
});

const confirmSecondFactor = endpoint({
  ...declared,
  name: "confirmSecondFactor",
  summary: "Put the second factor in force; the recovery codes are shown this once",
  method: "POST",
  path: "/api/v1/confirm-google",
  body: CodeBody,
  responses: {
    200: z.object({ data: z.object({ attributes: z.object({ codes: z.array(z.string()) }) }) }),
    409: ErrorDocument,
    ...refusals,
    ...refusalsOfBody,
  },
  async handle({ services, bearer, body }) {
    const { accountId, sessionId } = await services.auth.provenCaller({ bearer });
    const { recoveryCodes } = await services.auth.confirmSecondFactor({ accountId, sessionId, code: body.data.code });
    return respond(200, { data: { attributes: { codes: recoveryCodes } } });
  },
});

const removeSecondFactor = endpoint({
  ...declared,
  name: "removeSecondFactor",
  summary: "Turn the second factor off",
  description:
    "Takes a code of it as in POST /api/v1/confirm-google, or a bearer token that was given one within 10 minutes; its password or passkey as well.",
  method: "DELETE",
  path: "/api/v1/users/remove-2fa",
  body: z.object({ data: CodeBody.shape.data.optional() }, { error: "expected an object" }),
  isBodyOptional: true,
  responses: { 204: undefined, 409: ErrorDocument, ...refusals, ...refusalsOfBody },
  async handle({ services, bearer, body }) {
    await services.auth.endSecondFactor({ bearer, code: body.data?.code });
    return respond(204);
  },
});

export const secondFactorEndpoints = [beginSecondFactor, confirmSecondFactor, removeSecondFactor] as const;
