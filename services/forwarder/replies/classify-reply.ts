import { type About, type Reason, type ReasonClass, reasons } from "./reasons.ts";
import { anyStatus, type ReplyCodes, replyCodesOf } from "./reply-codes.ts";
import { statusReasons, transientStatusReasons } from "./status-reasons.ts";
import { readWordings } from "./wording-table.ts";

/** What a reply means. */
export interface ReplyClass extends ReasonClass {
  reason: Reason;
}

/** What counts first where a reply says several things: the address is to blame only if nothing else is. */
const precedence: Readonly<Record<About, number>> = { us: 0, message: 0, unknown: 1, address: 2 };
const wordings = readWordings().sort(
  (a, b) => precedenceOf(a.reason) - precedenceOf(b.reason) || b.phrase.length - a.phrase.length,
);

/**
 * What a server's reply, or the diagnostic of a bounce, means: by its words where they are known (wordings.txt), else by its
 * enhanced status code; else it is unknown, which does not count against the address.
 * @param response one line, the codes first
 */
export function classifyReply(response: string): ReplyClass {
  const codes = replyCodesOf(response);
  const reason = reasonByWords(response, codes) ?? reasonByStatus(codes) ?? reasonByReplyCode(codes);
  return { reason, ...reasons[reason] };
}

/** Whether a failure counts towards the suspension of the address. */
export function countsAgainstAddress({ about, isPermanent }: ReasonClass): boolean {
  return about === "address" && isPermanent;
}

function reasonByWords(response: string, codes: ReplyCodes): Reason | undefined {
  const words = normalized(response);
  const byStatus = reasonByStatus(codes);
  // Where the status is about something else, what is said of an address must come first: it may be quoted from the message.
  const mustComeFirst = byStatus !== undefined && !isAboutAddress(byStatus);
  return wordings.find(({ reason, indexIn }) => {
    const index = indexIn(words);
    return index === 0 || (index > 0 && !(mustComeFirst && isAboutAddress(reason)));
  })?.reason;
}

function reasonByStatus({ status }: ReplyCodes): Reason | undefined {
  const [, replyClass, detail = "", subject = ""] = /^(\d)\.((\d+)\.\d+)$/.exec(status ?? "") ?? [];
  const transient = replyClass === "4" ? transientStatusReasons[detail] : undefined;
  return transient ?? statusReasons[detail] ?? statusReasons[subject];
}

function reasonByReplyCode({ reply }: ReplyCodes): Reason {
  // RFC 7504: a host or a domain that takes no mail at all.
  if (reply === 521 || reply === 556) return "unknown-domain";
  return reply !== undefined && reply < 500 ? "server-trouble" : "unknown";
}

function precedenceOf(reason: Reason): number {
  return precedence[reasons[reason].about];
}

function isAboutAddress(reason: Reason): boolean {
  return reasons[reason].about === "address";
}

/** In lower case, without codes, addresses and what is left of their brackets. */
function normalized(response: string): string {
  return response
    .toLowerCase()
    .replace(/^[245]\d\d(?=[ -]|$)/, " ")
    .replace(anyStatus, " ")
    .replace(/\S*@\S*/g, " ")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, " ")
    .replace(/^[^a-z]+/, "")
    .trim();
}
