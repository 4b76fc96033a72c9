import type { Request } from "express";
import { english, type Texts } from "./english.ts";
import { german } from "./german.ts";

/** In the language that a browser prefers of ours (RFC 9110, section 12.5.4): English where it asks for neither. */
export function textsFor(request: Request): Texts {
  return request.acceptsLanguages("en", "de") === "de" ? german : english;
}
