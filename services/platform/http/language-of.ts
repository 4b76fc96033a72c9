import type { IncomingMessage } from "node:http";
import express, { type Request } from "express";
import { Language } from "../rpc/language.ts";

/** The one of ours that a browser prefers (RFC 9110, section 12.5.4): English where it asks for neither. */
export function languageOf(request: IncomingMessage): Language {
  const preferred = express.request.acceptsLanguages.call(request as Request, ...Language.options);
  return Language.safeParse(preferred).data ?? "en";
}
