/** The codes of a reply: they say nothing of whom it is about. */
export interface ReplyCodes {
  /** Three digits (RFC 5321 section 4.2); undefined where there are none. */
  reply: number | undefined;
  /** Class, subject and detail of the first enhanced status code that says anything (RFC 3463). */
  status: string | undefined;
}

/** Every enhanced status code in a text; part of an IP address is none. */
export const anyStatus = /(?<![\d.])([245])\.(\d{1,3}\.\d{1,3})(?![\d.])/g;
/** "Other" of everything, of addresses and of protocol: servers that have no better code give these. */
const genericDetails = new Set(["0.0", "1.0", "5.0"]);

/** @param response one line, the codes first; a bounce may have its report's status before the reply code */
export function replyCodesOf(response: string): ReplyCodes {
  const reply = /^(?:[245]\.\d{1,3}\.\d{1,3} )?([245]\d\d)(?=[ -]|$)/.exec(response)?.[1];
  const statuses = [...response.matchAll(anyStatus)];
  const status = statuses.find(([, , detail = ""]) => !genericDetails.has(detail)) ?? statuses[0];
  return { reply: reply ? Number(reply) : undefined, status: status?.[0] };
}
