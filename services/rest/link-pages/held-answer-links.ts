import express, { type Router } from "express";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Services } from "../services.ts";
import { linkFailure, page, secretPageHeaders, strong } from "./page.ts";
import type { Texts } from "./texts/english.ts";
import { textsFor } from "./texts/texts-for.ts";

/** What the link about a held answer leads to: GET shows a page with one button, its POST sends the answer. */
export function heldAnswerRoutes(forwarder: Services["forwarder"], logger: Logger): Router {
  const router = express.Router();
  router.use("/answers", secretPageHeaders);
  router.get("/answers/:token", async (request, response) => {
    const { token } = request.params;
    response.send(heldPage(textsFor(request), await forwarder.describeHeldAnswer({ token })));
  });
  router.post("/answers/:token", async (request, response) => {
    response.send(sentPage(textsFor(request), await forwarder.sendHeldAnswer({ token: request.params.token })));
  });
  router.all("/answers/:token", (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use(
    "/answers",
    linkFailure(logger, "heldAnswerAdvice", {
      Gone: "heldRemovedAdvice",
      SendingNotAllowed: "heldForbiddenAdvice",
      Unavailable: "heldUnavailableAdvice",
    }),
  );
  return router;
}

interface HeldAnswer {
  proxyAddress: string;
  recipients: string[];
  places: string[];
}

/** Asks for the one press that sends it: a mail scanner that only opens links sends nothing. */
function heldPage(texts: Texts, { proxyAddress, recipients, places }: HeldAnswer): string {
  return page(
    texts,
    texts.heldTitle,
    `<p>${texts.held(strong(proxyAddress), strong(recipients.join(", ")))}</p>
<ul>${places.map((place) => `<li>${escapeHtml(texts.place(place))}</li>`).join("")}</ul>
<form method="post"><button type="submit">${texts.heldButton}</button></form>
<p>${texts.heldOtherwise}</p>`,
  );
}

function sentPage(texts: Texts, { recipients }: HeldAnswer): string {
  return page(texts, texts.sentTitle, `<p>${texts.sent(strong(recipients.join(", ")))}</p>`);
}
