import express, { type Router } from "express";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Services } from "../services.ts";
import { linkFailure, page, secretPageHeaders, strong } from "./page.ts";
import type { Texts } from "./texts/english.ts";
import { textsFor } from "./texts/texts-for.ts";

/** What the link sent to a real address leads to: GET shows a page with one button, its POST verifies. */
export function verificationRoutes(bindings: Services["bindings"], logger: Logger): Router {
  const router = express.Router();
  router.use("/verify", secretPageHeaders);
  router.get("/verify/:token", async (request, response) => {
    const { token } = request.params;
    response.send(confirmationPage(textsFor(request), await bindings.describeVerification({ token })));
  });
  router.post("/verify/:token", async (request, response) => {
    response.send(verifiedPage(textsFor(request), await bindings.verify({ token: request.params.token })));
  });
  router.all("/verify/:token", (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use("/verify", linkFailure(logger, "verificationAdvice"));
  return router;
}

interface Verification {
  realAddress: string;
  proxyAddress: string;
}

/** Asks for the one press that verifies: a mail scanner that only opens links verifies nothing. */
function confirmationPage(texts: Texts, { realAddress, proxyAddress }: Verification): string {
  return page(
    texts,
    texts.verifyTitle,
    `<p>${texts.verifyAsks(strong(proxyAddress), strong(realAddress))}</p>
<form method="post"><button type="submit">${texts.verifyButton}</button></form>
<p>${texts.verifyOtherwise}</p>`,
  );
}

function verifiedPage(texts: Texts, { realAddress, proxyAddress }: Verification): string {
  return page(texts, texts.verifiedTitle, `<p>${texts.verified(strong(proxyAddress), strong(realAddress))}</p>`);
}
