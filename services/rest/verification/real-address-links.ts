import express, { type Router } from "express";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Services } from "../services.ts";
import { linkFailure, page, secretPageHeaders } from "./page.ts";

/** What the link sent to a real address leads to: GET shows a page with one button, its POST verifies. */
export function verificationRoutes(bindings: Services["bindings"], logger: Logger): Router {
  const router = express.Router();
  router.use("/verify", secretPageHeaders);
  router.get("/verify/:token", async (request, response) => {
    response.send(confirmationPage(await bindings.describeVerification({ token: request.params.token })));
  });
  router.post("/verify/:token", async (request, response) => {
    response.send(verifiedPage(await bindings.verify({ token: request.params.token })));
  });
  router.all("/verify/:token", (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use("/verify", linkFailure(logger, "Ask for a new link where you manage your proxy addresses."));
  return router;
}

interface Verification {
  realAddress: string;
  proxyAddress: string;
}

/** Asks for the one press that verifies: a mail scanner that only opens links verifies nothing. */
function confirmationPage({ realAddress, proxyAddress }: Verification): string {
  return page(
    "Is this address yours?",
    `<p>Mail to <strong>${escapeHtml(proxyAddress)}</strong> is to be forwarded to <strong>${escapeHtml(realAddress)}</strong>.</p>
<form method="post"><button type="submit">Yes, forward it to me</button></form>
<p>If you did not ask for this, close the page: nothing will be forwarded.</p>`,
  );
}

function verifiedPage({ realAddress, proxyAddress }: Verification): string {
  return page(
    "Verified",
    `<p>From now on, mail to <strong>${escapeHtml(proxyAddress)}</strong> is forwarded to <strong>${escapeHtml(realAddress)}</strong>.</p>`,
  );
}
