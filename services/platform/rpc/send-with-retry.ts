import type { IncomingMessage } from "node:http";
import { errorCode } from "../errors.ts";
import { isConnectionLost } from "../net/connection-lost.ts";
import type { PeerRequest, Send } from "./send.ts";

const restartMs = 250;

/**
 * Sends a request. A peer that restarts refuses connections for a moment, and nothing was sent yet, so asking again is safe. One that is
 * replaced closes the connections that it has: then asking again is as safe as the question is.
 */
export async function sendWithRetry(
  url: string,
  request: PeerRequest,
  isSafe: boolean,
  send: Send,
): Promise<IncomingMessage> {
  try {
    return await sendStarted(url, request, send);
  } catch (error) {
    if (!isSafe || !isConnectionLost(error)) throw error;
    return sendStarted(url, request, send);
  }
}

async function sendStarted(url: string, request: PeerRequest, send: Send): Promise<IncomingMessage> {
  try {
    return await send(url, request);
  } catch (error) {
    if (errorCode(error) !== "ECONNREFUSED") throw error;
    await new Promise((resolve) => setTimeout(resolve, restartMs));
    return send(url, request);
  }
}
