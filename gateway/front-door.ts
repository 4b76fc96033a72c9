import type { RequestListener } from "node:http";
import express, { type RequestHandler, type Router } from "express";
import { Refusal } from "../services/platform/errors.ts";
import type { Logger } from "../services/platform/logger.ts";
import { clientAddress } from "./client-address.ts";
import { refuse } from "./refuse.ts";

/** What rest answers; everything else here is the gateway's own. */
const restPaths = ["/api/v1", "/verify", "/confirm", "/reset", "/openapi.json", "/docs"];

export interface FrontDoorOptions {
  rest: RequestListener;
  /** What the gateway answers itself. */
  own: Router;
  trustedHops: number;
  logger: Logger;
}

/** What HTTP_PORT answers. Paths go on as they came, bodies as streams. */
export function frontDoor({ rest, own, trustedHops, logger }: FrontDoorOptions): RequestListener {
  const app = express().disable("x-powered-by");
  const handOn: RequestHandler = (request, response) => {
    request.url = request.originalUrl;
    // Whatever the client wrote there itself is overwritten.
    request.headers["x-postern-client-address"] = clientAddress(request, trustedHops);
    rest(request, response);
  };
  for (const path of restPaths) app.use(path, handOn);
  app.use(own);
  app.use(() => {
    throw new Refusal("NotFound", { public: "There is nothing at this address." });
  });
  app.use(refuse(logger));
  return app;
}
