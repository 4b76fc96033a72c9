import type { CallbackResponse } from "../egress/post.ts";

/** An attempt's request and response as they are kept: nothing of the request's body, which is made of the email. */
export interface Exchange {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBytes: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}

const mostFields = 32;
const valueLimit = 256;
const bodyLimit = 2_048;

/** A target's response is untrusted: few fields, short ones, and the beginning of its body. @param response none if none came */
export function exchangeOf(
  requestHeaders: Readonly<Record<string, string>>,
  requestBytes: number,
  response?: Pick<CallbackResponse, "headers" | "body">,
): Exchange {
  const fields = Object.entries(response?.headers ?? {}).slice(0, mostFields);
  return {
    requestHeaders,
    requestBytes,
    responseHeaders: Object.fromEntries(fields.map(([name, value]) => [short(name), short(String(value))])),
    responseBody: storable((response?.body ?? Buffer.alloc(0)).subarray(0, bodyLimit).toString()),
  };
}

function short(text: string): string {
  return storable(text.length > valueLimit ? `${text.slice(0, valueLimit - 1)}…` : text);
}

/** PostgreSQL's jsonb takes no NUL and no lone surrogate. */
function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}
