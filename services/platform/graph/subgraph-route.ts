import express, { type RequestHandler, type Router } from "express";
import { asServiceError } from "../errors.ts";
import { encodeError } from "../rpc/wire-errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { SubgraphQuery, SubgraphServer } from "./subgraph-server.ts";

const bodyLimit = "4mb";

/** Serves a subgraph to the gateway of a fleet; who may call is decided before. */
export function subgraphRoute(service: string, load: () => Promise<SubgraphServer>, logger: Logger): Router {
  const answer: RequestHandler = async (request, response) => {
    const disconnected = new AbortController();
    response.once("close", () => disconnected.abort());
    try {
      const server = await load();
      response.json(await server.execute(request.body as SubgraphQuery, disconnected.signal));
    } catch (error) {
      const refusal = asServiceError(error);
      if (refusal.status >= 500) logger.error({ id: refusal.id, err: error }, refusal.message);
      response.status(refusal.status).json(encodeError(refusal, service));
    }
  };
  const router = express.Router();
  router.post("/", express.json({ limit: bodyLimit }), answer);
  return router;
}
