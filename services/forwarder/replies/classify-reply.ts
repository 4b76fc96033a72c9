import { type About, type Reason, type ReasonClass, reasons } from "./reasons.ts";
import { statusReasons, transientStatusReasons } from "./status-reasons.ts";
import { readWordings } from "./wording-table.ts";

/** What a reply means. */
export interface ReplyClass extends ReasonClass {
  reason: Reason;
}

interface Codes {
  /** Three digits (RFC 5321 section 4.2); undefined where the text begins otherwise. */
  reply: number | undefined;
  /** Class, subject and detail of the first enhanced status code that says anything (RFC 3463). */
  status: string | undefined;
}

const anyStatus = /(?<![\d.])([245])\.(\d{1,3}\.\d{1,3})(?![\d.])/g;
/** "Other" of everything, of addresses and of protocol: servers that have no better code give these. */
const genericDetails = new Set(["0.0", "1.0", "5.0"]);
/** What counts first where a reply says several things: the address is to blame only if nothing else is. */
const precedence: Readonly<Record<About, number>> = { us: 0, message: 0, unknown: 1, address: 2 };
const wordings = readWordings().sort(
  (a, b) => precedenceOf(a.reason) - precedenceOf(b.reason) || b.phrase.length - a.phrase.length,
);

/**
 * What a server's reply, or the diagnostic of a bounce, means: by its words where they are known (wordings.txt), else by its
 * enhanced status code, else it is unknown and nobody is to blame.
 * @param response one line, the codes first
 */
export function classifyReply(response: string): ReplyClass {
  const codes = codesOf(response);
  const reason = reasonByWords(response, codes) ?? reasonByStatus(codes) ?? reasonByReplyCode(codes);
  return { reason, ...reasons[reason] };
}

/** Whether a failure counts towards the suspension of the address. */
export function countsAgainstAddress({ about, isPermanent }: ReasonClass): boolean {
  return about === "address" && isPermanent;
}

function codesOf(response: string): Codes {
  const reply = /^[245]\d\d(?=[ -]|$)/.exec(response)?.[0];
  const statuses = [...response.matchAll(anyStatus)];
  const status = statuses.find(([, , detail = ""]) => !genericDetails.has(detail)) ?? statuses[0];
  return { reply: reply ? Number(reply) : undefined, status: status?.[0] };
}

function reasonByWords(response: string, codes: Codes): Reason | undefined {
  const words = normalized(response);
  const byStatus = reasonByStatus(codes);
  // Where the status is about something else, what is said of an address must come first: it may be quoted from the message.
  const mustComeFirst = byStatus !== undefined && !isAboutAddress(byStatus);
  return wordings.find(({ reason, indexIn }) => {
    const index = indexIn(words);
    return index === 0 || (index > 0 && !(mustComeFirst && isAboutAddress(reason)));
  })?.reason;
}

function reasonByStatus({ status }: Codes): Reason | undefined {
  const [, replyClass, detail = "", subject = ""] = /^(\d)\.((\d+)\.\d+)$/.exec(status ?? "") ?? [];
  const transient = replyClass === "4" ? transientStatusReasons[detail] : undefined;
  return transient ?? statusReasons[detail] ?? statusReasons[subject];
}

function reasonByReplyCode({ reply }: Codes): Reason {
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
