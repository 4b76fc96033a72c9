import { callHeaders, SpanKind, withSpan } from "../telemetry/spans.ts";
import { fetchWithRetry } from "./fetch-with-retry.ts";
import type { Fetch } from "./tls-fetch.ts";

/**
 * Asks a service of another process over HTTP; the trace goes along.
 * @param send fetch, unless calls go by TLS
 * @param isSafe nothing changes by being asked: it may be asked once more (see fetchWithRetry)
 */
export function callPeer(
  name: string,
  url: string,
  init: RequestInit,
  { isSafe, send }: { isSafe: boolean; send?: Fetch | undefined },
): Promise<Response> {
  return withSpan(name, { kind: SpanKind.CLIENT }, async (span) => {
    const headers = new Headers(init.headers);
    for (const [header, value] of Object.entries(callHeaders(span))) headers.set(header, value);
    const response = await fetchWithRetry(url, { ...init, headers }, isSafe, send);
    span.setAttribute("http.response.status_code", response.status);
    return response;
  });
}
