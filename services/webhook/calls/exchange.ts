import { storableText } from "../../platform/storable-text.ts";
import type { CallbackResponse } from "../egress/post.ts";

/** An attempt's request and response as they are kept: nothing of the request's body, which is made of the email. */
export interface Exchange {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBytes: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}

/** Those of the last attempts are kept, since each may be many kilobytes. */
const attemptsWithExchange = 5;
/** Of a job, before another attempt is added: without the exchange that is one too many. */
export const formerAttempts = `(attempts #- '{-${attemptsWithExchange},exchange}')`;

const maxFields = 32;
const valueLimit = 256;
const bodyLimit = 2_048;

/** A target's response is untrusted: few fields, short ones, and the beginning of its body. @param response none if none came */
export function exchangeOf(
  requestHeaders: Readonly<Record<string, string>>,
  requestBytes: number,
  response?: Pick<CallbackResponse, "headers" | "body">,
): Exchange {
  const fields = Object.entries(response?.headers ?? {}).slice(0, maxFields);
  return {
    requestHeaders,
    requestBytes,
    responseHeaders: Object.fromEntries(fields.map(([name, value]) => [short(name), short(String(value))])),
    responseBody: storableText((response?.body ?? Buffer.alloc(0)).subarray(0, bodyLimit).toString()),
  };
}

function short(text: string): string {
  return storableText(text, valueLimit);
}
