import express, { type Request, type Response, type Router } from "express";
import { Refusal, type RefusalKind } from "../../platform/errors.ts";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { originOf } from "../http/origin.ts";
import type { Services } from "../services.ts";
import { linkFailure, page, secretPageHeaders } from "./page.ts";

const formBody = express.urlencoded({ extended: false, limit: "16kb" });

/** What may be put right in the form, which is shown again. */
const corrigible: readonly RefusalKind[] = [
  "ValidationFailed",
  "WrongPassword",
  "SecondFactorRequired",
  "WrongSecondFactor",
  "RateLimited",
];

/** What the links sent to an account's own address lead to; they work in any browser, without a script. */
export function accountRoutes(auth: Services["auth"], publicUrl: string, logger: Logger): Router {
  const cookie = new SessionCookie(publicUrl);
  const router = express.Router();
  router.use(["/confirm", "/reset"], secretPageHeaders);
  router.get("/confirm/:token", async ({ params: { token } }, response) => {
    response.send(confirmAddressPage((await auth.describeConfirmation({ token })).username));
  });
  router.post("/confirm/:token", formBody, async (request, response) => {
    const token = tokenOf(request);
    const { username } = await auth.describeConfirmation({ token });
    const password = fieldOf(request, "password");
    await orAgain(
      response,
      async () => {
        const { bearer } = await auth.confirmAddress({ token, password, ...originOf(request) });
        if (bearer) response.setHeader("set-cookie", cookie.write(bearer));
        response.redirect(303, "/");
      },
      (complaint) => confirmAddressPage(username, complaint),
    );
  });
  router.get("/reset/:token", async ({ params: { token } }, response) => {
    response.send(newPasswordPage(await auth.describeReset({ token })));
  });
  router.post("/reset/:token", formBody, async (request, response) => {
    const token = tokenOf(request);
    const described = await auth.describeReset({ token });
    const [password, code] = [fieldOf(request, "password"), fieldOf(request, "code").trim()];
    const { clientAddress } = originOf(request);
    await orAgain(
      response,
      async () => {
        await auth.resetPassword({ token, password, clientAddress, ...(code === "" ? {} : { code }) });
        response.send(passwordSetPage(described.username));
      },
      (complaint) => newPasswordPage(described, complaint),
    );
  });
  router.all(["/confirm/:token", "/reset/:token"], (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use(["/confirm", "/reset"], linkFailure(logger, "Ask for a new link where you sign in."));
  return router;
}

/** Does what the form asks for; shows it again with what is to be put right. */
async function orAgain(response: Response, act: () => Promise<void>, again: (complaint: string) => string) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Refusal) || !corrigible.includes(error.kind)) throw error;
    response.status(error.status).send(again(sentenceOf(error)));
  }
}

/** The field has its label beside it: what is wrong with it is enough. */
function sentenceOf({ fieldFault, publicMessage }: Refusal): string {
  return fieldFault ? `The password ${fieldFault.fault}` : publicMessage;
}

function tokenOf(request: Request): string {
  return (request.params as { token: string }).token;
}

function fieldOf(request: Request, name: string): string {
  const value = ((request.body ?? {}) as Record<string, unknown>)[name];
  return typeof value === "string" ? value : "";
}

function complaintOf(complaint: string): string {
  return complaint ? `<p role="alert">${escapeHtml(complaint)}</p>` : "";
}

function usernameField(username: string): string {
  return `<input type="text" name="username" autocomplete="username" value="${escapeHtml(username)}" hidden>`;
}

/** Asks for the password as well: if somebody signed up with another person's address, its owner must not confirm it by accident. */
function confirmAddressPage(username: string, complaint = ""): string {
  return page(
    "Confirm your address",
    `<p>Somebody signed up with the address <strong>${escapeHtml(username)}</strong>. If it was you, enter the password that you chose.</p>
<form method="post">${complaintOf(complaint)}
${usernameField(username)}
<label>Password <input type="password" name="password" autocomplete="current-password" required autofocus></label>
<button type="submit">Confirm and sign in</button></form>
<p>If it was not you, close this page: there is no account until it is confirmed.</p>`,
  );
}

/** @param complaint what was wrong with what was given before */
function newPasswordPage({ username, isSecondFactorRequired }: NewPassword, complaint = ""): string {
  const code = isSecondFactorRequired
    ? `\n<label>Code from your authenticator, or a recovery code <input type="text" name="code" autocomplete="one-time-code" required></label>`
    : "";
  return page(
    "Choose a new password",
    `<p>For the account <strong>${escapeHtml(username)}</strong>. You will be signed out everywhere, your API token will stop working, and
your webhook secret will be replaced.</p>
<form method="post">${complaintOf(complaint)}
${usernameField(username)}
<label>New password <input type="password" name="password" autocomplete="new-password" minlength="8" required autofocus></label>${code}
<button type="submit">Set the password</button></form>`,
  );
}

interface NewPassword {
  username: string;
  isSecondFactorRequired: boolean;
}

function passwordSetPage(username: string): string {
  return page(
    "Password updated",
    `<p>You've been signed out on all devices. Sign in as <strong>${escapeHtml(username)}</strong> with the new password.</p>
<p><a href="/">Sign in</a></p>`,
  );
}
