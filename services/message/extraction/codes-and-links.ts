import { codesIn } from "./codes.ts";
import { linksIn } from "./links.ts";

/** What a test looks for in an email. */
export interface Excerpts {
  /** One-time codes, the likeliest first. */
  codes: string[];
  /** http and https URLs, each once. */
  links: string[];
}

export function excerptsOf({ subject, text, html }: { subject: string; text: string; html: string }): Excerpts {
  return { codes: codesIn(`${subject}\n${text}`), links: linksIn({ text, html }) };
}
