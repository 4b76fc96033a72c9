import type { Request } from "express";
import { languageOf } from "../../../platform/http/language-of.ts";
import { english, type Texts } from "./english.ts";
import { german } from "./german.ts";

const texts = { en: english, de: german };

/** In the language that a browser prefers of ours. */
export function textsFor(request: Request): Texts {
  return texts[languageOf(request)];
}
