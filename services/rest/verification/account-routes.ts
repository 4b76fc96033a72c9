import express, { type Router } from "express";
import { Refusal } from "../../platform/errors.ts";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Peers } from "../peers.ts";
import { addressConfirmedPage, confirmAddressPage, newPasswordPage, passwordSetPage } from "./account-pages.ts";
import { failure, secretPage } from "./secret-page.ts";

/** What the links sent to an account's own address lead to; they work in any browser, without a script. */
export function accountRoutes(auth: Peers["auth"], logger: Logger): Router {
  const router = express.Router();
  router.use(["/confirm", "/reset"], secretPage);
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
  router.use(["/confirm", "/reset"], failure(logger, "Ask for a new link where you sign in."));
  return router;
}
