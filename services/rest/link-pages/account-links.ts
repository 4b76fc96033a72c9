import express, { type Request, type Response, type Router } from "express";
import { Refusal, type RefusalKind } from "../../platform/errors.ts";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { originOf } from "../http/origin.ts";
import type { Services } from "../services.ts";
import { linkFailure, page, secretPageHeaders, strong } from "./page.ts";
import type { Texts } from "./texts/english.ts";
import { textsFor } from "./texts/texts-for.ts";

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
  router.get("/confirm/:token", async (request, response) => {
    const { username } = await auth.describeConfirmation({ token: tokenOf(request) });
    response.send(confirmAddressPage(textsFor(request), username));
  });
  router.post("/confirm/:token", formBody, async (request, response) => {
    const token = tokenOf(request);
    const { username } = await auth.describeConfirmation({ token });
    const password = fieldOf(request, "password");
    const texts = textsFor(request);
    await orAgain(
      response,
      texts,
      async () => {
        const { bearer } = await auth.confirmAddress({ token, password, ...originOf(request) });
        if (bearer) response.setHeader("set-cookie", cookie.write(bearer));
        response.redirect(303, "/");
      },
      (complaint) => confirmAddressPage(texts, username, complaint),
    );
  });
  router.get("/reset/:token", async (request, response) => {
    response.send(newPasswordPage(textsFor(request), await auth.describeReset({ token: tokenOf(request) })));
  });
  router.post("/reset/:token", formBody, async (request, response) => {
    const token = tokenOf(request);
    const described = await auth.describeReset({ token });
    const [password, code] = [fieldOf(request, "password"), fieldOf(request, "code").trim()];
    const { clientAddress } = originOf(request);
    const texts = textsFor(request);
    await orAgain(
      response,
      texts,
      async () => {
        await auth.resetPassword({ token, password, clientAddress, ...(code === "" ? {} : { code }) });
        response.send(passwordSetPage(texts, described.username));
      },
      (complaint) => newPasswordPage(texts, described, complaint),
    );
  });
  router.all(["/confirm/:token", "/reset/:token"], (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use(["/confirm", "/reset"], linkFailure(logger, "accountAdvice"));
  return router;
}

/** Does what the form asks for; shows it again with what is to be put right. */
async function orAgain(
  response: Response,
  texts: Texts,
  act: () => Promise<void>,
  again: (complaint: string) => string,
) {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Refusal) || !corrigible.includes(error.kind)) throw error;
    response.status(error.status).send(again(sentenceOf(texts, error)));
  }
}

/** The field has its label beside it: what is wrong with it is enough. */
function sentenceOf(texts: Texts, { kind, fieldFault, publicMessage }: Refusal): string {
  return fieldFault ? texts.passwordFault(kind, fieldFault.fault) : texts.refusal(kind, publicMessage);
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
function confirmAddressPage(texts: Texts, username: string, complaint = ""): string {
  return page(
    texts,
    texts.confirmTitle,
    `<p>${texts.confirmAsks(strong(username))}</p>
<form method="post">${complaintOf(complaint)}
${usernameField(username)}
<label>${texts.password} <input type="password" name="password" autocomplete="current-password" required autofocus></label>
<button type="submit">${texts.confirmButton}</button></form>
<p>${texts.confirmOtherwise}</p>`,
  );
}

/** @param complaint what was wrong with what was given before */
function newPasswordPage(texts: Texts, { username, isSecondFactorRequired }: NewPassword, complaint = ""): string {
  const code = isSecondFactorRequired
    ? `\n<label>${texts.code} <input type="text" name="code" autocomplete="one-time-code" required></label>`
    : "";
  return page(
    texts,
    texts.resetTitle,
    `<p>${texts.resetAsks(strong(username))}</p>
<form method="post">${complaintOf(complaint)}
${usernameField(username)}
<label>${texts.newPassword} <input type="password" name="password" autocomplete="new-password" minlength="8" required autofocus></label>${code}
<button type="submit">${texts.resetButton}</button></form>`,
  );
}

interface NewPassword {
  username: string;
  isSecondFactorRequired: boolean;
}

function passwordSetPage(texts: Texts, username: string): string {
  return page(
    texts,
    texts.resetDoneTitle,
    `<p>${texts.resetDone(strong(username))}</p>
<p><a href="/">${texts.signIn}</a></p>`,
  );
}
