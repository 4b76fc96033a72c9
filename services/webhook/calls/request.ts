import type { CallbackResponse } from "../egress/post.ts";
import type { BodyPieces } from "./call.ts";
import { signatureHeaders } from "./signature.ts";

/** Hands a body to a URL: over the network, or to a recorder of our own. @throws AttemptFailure when no answer came */
export type Send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: BodyPieces,
) => Promise<CallbackResponse>;

/** The headers of a call. */
export function requestHeaders(id: string, at: Date, body: BodyPieces, secrets: readonly string[]) {
  return {
    "content-type": "application/json",
    "user-agent": "postern-callback",
    ...signatureHeaders(id, at, body, secrets),
  };
}
