import express, { type Router } from "express";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Peers } from "../peers.ts";
import { confirmationPage, verifiedPage } from "./pages.ts";
import { failure, secretPage } from "./secret-page.ts";

/** What the link sent to a real address leads to: GET shows a page with one button, its POST verifies. */
export function verificationRoutes(bindings: Peers["bindings"], logger: Logger): Router {
  const router = express.Router();
  router.use("/verify", secretPage);
  router.get("/verify/:token", async (request, response) => {
    response.send(confirmationPage(await bindings.describeVerification({ token: request.params.token })));
  });
  router.post("/verify/:token", async (request, response) => {
    response.send(verifiedPage(await bindings.verify({ token: request.params.token })));
  });
  router.all("/verify/:token", (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use("/verify", failure(logger, "Ask for a new link where you manage your proxy addresses."));
  return router;
}
