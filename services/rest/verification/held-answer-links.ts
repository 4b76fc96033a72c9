import express, { type Router } from "express";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { methodNotAllowed } from "../../platform/http/http-refusals.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Services } from "../services.ts";
import { linkFailure, page, secretPageHeaders } from "./page.ts";

/** What the link about a held answer leads to: GET shows a page with one button, its POST sends the answer. */
export function heldAnswerRoutes(forwarder: Services["forwarder"], logger: Logger): Router {
  const router = express.Router();
  router.use("/answers", secretPageHeaders);
  router.get("/answers/:token", async (request, response) => {
    response.send(heldPage(await forwarder.describeHeldAnswer({ token: request.params.token })));
  });
  router.post("/answers/:token", async (request, response) => {
    response.send(sentPage(await forwarder.sendHeldAnswer({ token: request.params.token })));
  });
  router.all("/answers/:token", (_request, response) => {
    throw methodNotAllowed(["GET", "HEAD", "POST"], response);
  });
  router.use(
    "/answers",
    linkFailure(logger, "You can write the answer again, without the address in it.", {
      SendingNotAllowed: "If you change that before the answer expires, this link works again.",
      Unavailable: "Please open this link again later.",
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
function heldPage({ proxyAddress, recipients, places }: HeldAnswer): string {
  return page(
    "Send this answer as it is?",
    `<p>Your answer from <strong>${escapeHtml(proxyAddress)}</strong> to <strong>${escapeHtml(recipients.join(", "))}</strong> waits, because it would show an address that only you should use:</p>
<ul>${places.map((place) => `<li>${escapeHtml(place)}</li>`).join("")}</ul>
<form method="post"><button type="submit">Yes, send it all the same</button></form>
<p>If you would rather not, close the page: the answer is not sent.</p>`,
  );
}

function sentPage({ recipients }: HeldAnswer): string {
  return page(
    "It will be sent",
    `<p>Your answer to <strong>${escapeHtml(recipients.join(", "))}</strong> is sent as it is.</p>`,
  );
}
