import type { IncomingMessage } from "node:http";
import express, { type Request } from "express";
import { Language } from "../rpc/language.ts";

/** Which of our languages a browser prefers (RFC 9110, section 12.5.4): English where it accepts none of them. */
export function languageOf(request: IncomingMessage): Language {
  const preferred = express.request.acceptsLanguages.call(request as Request, ...Language.options);
  return Language.safeParse(preferred).data ?? "en";
}
