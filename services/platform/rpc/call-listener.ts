import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { asServiceError, Refusal } from "../errors.ts";
import { readBody } from "../http/read-body.ts";
import { withExtractedContext } from "../telemetry/spans.ts";
import type { Serve } from "./serve-contract.ts";
import type { ServiceTokens } from "./service-tokens.ts";
import { encodeError, type WireAnswer } from "./wire-errors.ts";

/** Bodies hold a recorded call at most: 10 MiB, a third more in base64. */
const bodyLimitBytes = 16 * 1024 * 1024;

/** JSON-RPC 2.0's code of an internal error; what it was is said by the refusal. */
const errorCode = -32_603;

interface CallOptions {
  service: string;
  serve: Serve;
  tokens: ServiceTokens;
}

/** Answers a peer's call, POST /rpc/<service>/<procedure>, of services of this installation alone. */
export function callListener({ service, serve, tokens }: CallOptions): RequestListener {
  return async (request, response) => {
    try {
      tokens.check(request.headers.authorization, service);
      const procedure = (request.url ?? "").split(/[/?]/)[3] ?? "";
      const input = await inputOf(request);
      const data = await withExtractedContext(request.headers, () => serve(procedure, input));
      answer(response, 200, { result: { data } });
    } catch (error) {
      const refusal = asServiceError(error);
      const wire = {
        code: errorCode,
        message: refusal.publicMessage,
        data: { refusal: encodeError(refusal, service) },
      };
      answer(response, refusal.status, { error: wire });
    }
  };
}

/** @throws Refusal MalformedRequest, BodyTooLarge */
async function inputOf(request: IncomingMessage): Promise<unknown> {
  const text = (await readBody(request, bodyLimitBytes)).toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new Refusal("MalformedRequest", { public: "The body is not JSON.", cause });
  }
}

function answer(response: ServerResponse, status: number, body: WireAnswer): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}
