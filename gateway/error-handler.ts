import type { ErrorRequestHandler } from "express";
import { asHttpError } from "../services/platform/http/http-refusals.ts";
import { refuse as answerRefusal } from "../services/platform/http/refuse.ts";
import type { Logger } from "../services/platform/telemetry/logger.ts";

/** What goes wrong at the gateway itself, in REST's shape; found again in the logs by its id. */
export function refuse(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) =>
    answerRefusal(asHttpError(error), request, response, { logger, service: "gateway" });
}
