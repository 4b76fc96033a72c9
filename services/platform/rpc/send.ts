import { type IncomingMessage, request } from "node:http";
import { request as tlsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { type InternalTls, peerAgent } from "../security/internal-tls.ts";

/** A request to a peer. */
export interface PeerRequest {
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** How long its whole answer may take; of one that is streamed, its beginning. */
  timeoutMs: number;
  isStreamed?: boolean;
  /** Nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

/** Sends it. @throws what the connection failed with: an Error with its code */
export type Send = (url: string, request: PeerRequest) => Promise<IncomingMessage>;

/** An idle connection is left before a peer closes it: see peerConnections. A request in progress is not ended by it. */
const idleLimitMs = 1_000;
const maxSockets = 256;
/** In a process that is not busy a timer comes no later than this. */
const punctualMs = 20;

/**
 * How services ask each other over HTTP: by node:http, since fetch makes streams, headers and signals anew for each call, which took longer than
 * most answers.
 * @param tls absent: in the clear
 */
export function sender(tls?: Pick<InternalTls, "follow">): Send {
  const agent = peerAgent(tls, { keepAlive: true, maxSockets, timeout: idleLimitMs });
  const begin = tls ? tlsRequest : request;
  return (url, { method, headers, body, timeoutMs, isStreamed = false, signal }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const options = { agent: agent(), method, headers: { ...headers, ...length }, ...(signal ? { signal } : {}) };
      const outgoing = begin(url, options, (answer) => {
        if (isStreamed) clearTimeout(deadline);
        resolve(answer);
      });
      const giveUp = () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`));
      const dueMs = performance.now() + timeoutMs;
      // For as long as this process was held up the peer could not be heard: it waits so much longer, once.
      let deadline = setTimeout(() => {
        const lateMs = performance.now() - dueMs;
        if (lateMs < punctualMs) giveUp();
        else deadline = setTimeout(giveUp, lateMs);
      }, timeoutMs);
      outgoing.on("error", reject).once("close", () => clearTimeout(deadline));
      outgoing.end(body);
    });
}

/** The body of an answer, as JSON. @throws SyntaxError for what is none, or what the connection failed with */
export async function jsonOf(answer: IncomingMessage): Promise<unknown> {
  return JSON.parse(await text(answer));
}
