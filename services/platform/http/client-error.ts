import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { Refusal } from "../errors.ts";
import { errorDocument } from "./error-document.ts";
import { type RefusalContext, report } from "./refuse.ts";

/** How long a client has to read why its connection is closed. One that goes on sending would hold it for ever. */
const lingerMs = 1_000;

/** What Node says of a request that it could not read as HTTP. */
function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  if (code === "HPE_HEADER_OVERFLOW")
    return new Refusal("HeadersTooLarge", { public: "The headers of the request are too large." });
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new Refusal("RequestTimeout", { public: "The request did not come to its end in time." });
  return new Refusal("MalformedRequest", { public: "The request is malformed.", operator: code ?? "" });
}

/** Answers input that is no HTTP request in the contract's shape, and closes the connection: the start of a next request cannot be found. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex, refusing: RefusalContext): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error);
  report(refusal, undefined, refusing);
  const body = JSON.stringify(errorDocument(refusal, refusing.service));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(refusing.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  // What comes now is part of no request that is answered.
  socket.pause();
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
