import express, { type Router } from "express";
import { Refusal } from "../../platform/errors.ts";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Services } from "../services.ts";
import { escaped, linkFailure, page, secretPageHeaders } from "./page.ts";

/** What the links sent to an account's own address lead to; they work in any browser, without a script. */
export function accountRoutes(auth: Services["auth"], logger: Logger): Router {
  const router = express.Router();
  router.use(["/confirm", "/reset"], secretPageHeaders);
  router.get("/confirm/:token", async ({ params: { token } }, response) => {
    response.send(confirmAddressPage((await auth.describeConfirmation({ token })).username));
  });
  router.post("/confirm/:token", async ({ params: { token } }, response) => {
    response.send(addressConfirmedPage((await auth.confirmAddress({ token })).username));
  });
  router.get("/reset/:token", async ({ params: { token } }, response) => {
    response.send(newPasswordPage((await auth.describeReset({ token })).username));
  });
  router.post("/reset/:token", express.urlencoded({ extended: false, limit: "16kb" }), async (request, response) => {
    const { token } = request.params as { token: string };
    const { password } = (request.body ?? {}) as { password?: unknown };
    const { username } = await auth.describeReset({ token });
    try {
      await auth.resetPassword({ token, password: typeof password === "string" ? password : "" });
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "ValidationFailed") throw error;
      response.status(error.status).send(newPasswordPage(username, error.publicMessage));
      return;
    }
    response.send(passwordSetPage(username));
  });
  router.all(["/confirm/:token", "/reset/:token"], (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use(["/confirm", "/reset"], linkFailure(logger, "Ask for a new link where you sign in."));
  return router;
}

/** Asks for the one press that confirms: a mail scanner that only opens links confirms nothing. */
function confirmAddressPage(username: string): string {
  return page(
    "Is this address yours?",
    `<p>An account was made with the address <strong>${escaped(username)}</strong>.</p>
<form method="post"><button type="submit">Yes, it is mine</button></form>
<p>If you did not make it, close the page: no mail will be forwarded to you.</p>`,
  );
}

function addressConfirmedPage(username: string): string {
  return page(
    "Confirmed",
    `<p>The address <strong>${escaped(username)}</strong> is confirmed.</p><p><a href="/">Go to your account</a></p>`,
  );
}

/** @param complaint what was wrong with the password given before */
function newPasswordPage(username: string, complaint = ""): string {
  return page(
    "Choose a new password",
    `<p>For the account <strong>${escaped(username)}</strong>.</p>
<form method="post">${complaint ? `<p role="alert">${escaped(complaint)}</p>` : ""}
<input type="text" name="username" autocomplete="username" value="${escaped(username)}" hidden>
<label>New password <input type="password" name="password" autocomplete="new-password" minlength="8" required autofocus></label>
<button type="submit">Set the password</button></form>`,
  );
}

function passwordSetPage(username: string): string {
  return page(
    "The password is set",
    `<p>Sign in as <strong>${escaped(username)}</strong> with the new password; everybody was signed out.</p><p><a href="/">Sign in</a></p>`,
  );
}
