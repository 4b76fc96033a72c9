import type { Request } from "express";
import { browserName } from "../../platform/http/browser-name.ts";
import { clientAddressHeader } from "../contract.ts";

/** Where a request comes from, as a sign-in keeps it: the client's address, and a plain name of the program that asks, where it says one. */
export function originOf(request: Request): { clientAddress: string; browser: string | undefined } {
  return {
    clientAddress: String(request.headers[clientAddressHeader] ?? request.socket.remoteAddress ?? ""),
    browser: browserName(request.headers["user-agent"]),
  };
}
