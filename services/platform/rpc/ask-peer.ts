import { SpanKind, traceHeaders, withSpan } from "../telemetry/spans.ts";
import { fetchOnceMore } from "./fetch-once-more.ts";

/**
 * Asks a service of another process over HTTP; the trace goes along.
 * @param isSafe nothing changes by being asked: it may be asked once more (see fetchOnceMore)
 */
export function askPeer(name: string, url: string, init: RequestInit, isSafe: boolean): Promise<Response> {
  return withSpan(name, { kind: SpanKind.CLIENT }, async (span) => {
    const headers = new Headers(init.headers);
    for (const [header, value] of Object.entries(traceHeaders())) headers.set(header, value);
    const response = await fetchOnceMore(url, { ...init, headers }, isSafe);
    span.setAttribute("http.response.status_code", response.status);
    return response;
  });
}
