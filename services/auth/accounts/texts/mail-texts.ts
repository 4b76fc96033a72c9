import type { Language } from "../../../platform/rpc/language.ts";
import { english, type MailTexts } from "./english.ts";
import { german } from "./german.ts";

export const mailTexts: Readonly<Record<Language, MailTexts>> = { en: english, de: german };
