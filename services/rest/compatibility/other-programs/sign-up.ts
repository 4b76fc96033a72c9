import { z } from "zod";
import { languageOf } from "../../../platform/http/language-of.ts";
import { endpoint, respond } from "../../http/endpoint.ts";
import { ErrorDocument, requestOf, wellFormedText } from "../../http/schemas.ts";

const Nothing = z.object({}).meta({ id: "Nothing" });

const refusals = {
  400: ErrorDocument,
  413: ErrorDocument,
  415: ErrorDocument,
  422: ErrorDocument,
  429: ErrorDocument,
  503: ErrorDocument,
};

const signUp = endpoint({
  name: "signUp",
  tag: "Other programs",
  summary: "Ask for an account",
  description:
    "What comes next is in the mail to the address. The answer is the same whether the name is free. Where signing up takes an invitation, use the web application.",
  method: "POST",
  path: "/api/v1/users",
  credentials: "none",
  scope: "none",
  body: requestOf("users", { username: wellFormedText("a string"), password: wellFormedText("a string") }),
  responses: { 201: Nothing, 403: ErrorDocument, ...refusals },
  async handle({ services, body, clientAddress, request }) {
    const { username, password } = body.data.attributes;
    await services.auth.signUp({ username, password, clientAddress, language: languageOf(request) });
    return respond(201, {});
  },
});

const resendConfirmation = endpoint({
  name: "resendConfirmation",
  tag: "Other programs",
  summary: "Have the link of a sign-up sent again",
  description: "The answer tells nothing of whether there is one.",
  method: "POST",
  path: "/api/v1/resend-confirmation",
  credentials: "none",
  scope: "none",
  body: requestOf("confirmation", { email: wellFormedText("a string") }),
  responses: { 200: Nothing, ...refusals },
  async handle({ services, body, clientAddress, request }) {
    const { email: username } = body.data.attributes;
    await services.auth.resendSignUp({ username, clientAddress, language: languageOf(request) });
    return respond(200, {});
  },
});

export const signUpEndpoints = [signUp, resendConfirmation] as const;
