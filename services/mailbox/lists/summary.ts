import { storableText } from "../../platform/storable-text.ts";
import { htmlToText } from "../payload/html-to-text.ts";
import { StepBudget } from "../payload/step-budget.ts";
import type { Author } from "./author.ts";
import { oneLine } from "./single-line-text.ts";

/** In characters. */
const previewLimit = 160;
/** How much of a body can be found by a search, in characters: far from what a tsvector can hold, whatever they are. */
export const searchedLimit = 16 * 1_024;
/** How much of an HTML body is converted for it. */
const htmlLimit = 32 * 1_024;
const htmlSteps = 2_000;

/** What lists show and searches find of an email, besides its subject. */
export interface Summary {
  readonly preview: string;
  /** What is searched besides the subject: its author and the beginning of its body. */
  readonly searched: string;
}

export function summarize(author: Author | null, text: string | null, html: string | null): Summary {
  const body = beginningOf(text, html);
  return { preview: oneLine(body, previewLimit), searched: storableText(`${authorWords(author)}\n${body}`) };
}

function beginningOf(text: string | null, html: string | null): string {
  if (text !== null && text.trim() !== "") return text.trimStart().slice(0, searchedLimit);
  if (html === null) return "";
  return htmlToText(html.slice(0, htmlLimit), new StepBudget(htmlSteps)).slice(0, searchedLimit);
}

/** An address is one word to PostgreSQL: its parts are given beside it, so that each of them is found. */
function authorWords(author: Author | null): string {
  if (author === null) return "";
  const { name, address } = author;
  return `${name} ${address} ${address.replaceAll("@", " ")} ${address.replaceAll(/[^\p{L}\p{N}]+/gu, " ")}`;
}
