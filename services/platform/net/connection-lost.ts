import { errorCode } from "../errors.ts";

/** As Node and undici name it. */
const codes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Whether a connection was lost under a request: the peer's process may have gone while the request was on its way. */
export function isConnectionLost(error: unknown): boolean {
  return codes.has(errorCode(error));
}

/** The error that Node gives for it, for where it gives none. */
export function connectionLost(): Error {
  return Object.assign(new Error("the connection was lost"), { code: "ECONNRESET" });
}
