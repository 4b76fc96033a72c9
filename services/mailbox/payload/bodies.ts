import type { ContentLimits } from "../limits.ts";
import { htmlToText } from "./html-to-text.ts";
import { StepBudget } from "./step-budget.ts";
import { textForHtml, textToHtml } from "./text-to-html.ts";

/** The bodies that a message has; null where it has no such part. */
export interface Bodies {
  readonly text: string | null;
  readonly html: string | null;
}

export interface CompleteBodies {
  readonly text: string;
  readonly html: string;
  /** A converted body was cut. */
  readonly isTruncated: boolean;
}

/** Both bodies; a missing one is converted from the other, and cut if it gets too long. */
export function completeBodies(
  { text, html }: Bodies,
  limits: Pick<ContentLimits, "textBytes" | "htmlSteps">,
): CompleteBodies {
  if (isBlank(html)) {
    const plain = isBlank(text) ? "" : text;
    const convertible = textForHtml(plain, limits.textBytes);
    return { text: plain, html: textToHtml(convertible), isTruncated: convertible.length < plain.length };
  }
  const plain = isBlank(text) ? htmlToText(html, new StepBudget(limits.htmlSteps)) : text;
  return { text: plain, html, isTruncated: false };
}

export function isBlank(text: string | null): text is null {
  return text === null || text.trim() === "";
}
