import type { IncomingMessage } from "node:http";
import { callHeaders, SpanKind, withSpan } from "../telemetry/spans.ts";
import type { PeerRequest, Send } from "./send.ts";
import { sendWithRetry } from "./send-with-retry.ts";

/**
 * Asks a service of another process over HTTP; the trace goes along.
 * @param isSafe nothing changes by being asked: it may be asked once more (see sendWithRetry)
 */
export function callPeer(
  name: string,
  url: string,
  request: PeerRequest,
  { isSafe, send }: { isSafe: boolean; send: Send },
): Promise<IncomingMessage> {
  return withSpan(name, { kind: SpanKind.CLIENT }, async (span) => {
    const headers = { ...request.headers, ...callHeaders(span) };
    const answer = await sendWithRetry(url, { ...request, headers }, isSafe, send);
    span.setAttribute("http.response.status_code", answer.statusCode ?? 0);
    return answer;
  });
}
