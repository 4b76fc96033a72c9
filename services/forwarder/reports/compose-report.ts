import { randomBytes } from "node:crypto";
import { isPrintableAscii } from "../../message/coding/ascii.ts";
import { headerDate } from "../outbound/received-field.ts";
import type { Original } from "./original.ts";

interface Report {
  id: string;
  serviceName: string;
  serviceDomain: string;
  /** The recipient of the report. */
  author: string;
  /** The only recipient that is named. */
  proxyAddress: string;
  receivedAt: Date;
  reportedAt: Date;
  /** An enhanced status code (RFC 3463). */
  status: string;
  /** See FailureDescription. */
  diagnostic: string;
  /** Absent when the message is no longer there. */
  original: Original | undefined;
}

/** A delivery status notification (RFC 3464) as a multipart/report (RFC 6522), for one recipient. */
export function composeReport(report: Report): Buffer {
  const boundary = `report-${randomBytes(12).toString("hex")}`;
  const parts = [explanation(report), deliveryStatus(report), originalHeader(report)].filter((part) => part !== "");
  const lines = [
    `From: ${quoted(report.serviceName)} <postmaster@${report.serviceDomain}>`,
    `To: <${report.author}>`,
    "Subject: Your message could not be delivered",
    `Date: ${headerDate(report.reportedAt)}`,
    `Message-ID: <${report.id}@${report.serviceDomain}>`,
    ...(report.original?.messageId ? [`In-Reply-To: ${report.original.messageId}`] : []),
    // RFC 3834 section 5: no machine is to answer.
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    "Content-Type: multipart/report; report-type=delivery-status;",
    `\tboundary="${boundary}"`,
    "",
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    "",
  ];
  return Buffer.from(lines.join("\r\n"), "utf8");
}

function explanation({ proxyAddress, diagnostic, status, serviceName }: Report): string {
  const text = [
    "Your message to",
    "",
    `    ${proxyAddress}`,
    "",
    "could not be passed on to where that address leads, and will not be tried again.",
    "",
    `The reason (${status}):`,
    "",
    `    ${diagnostic}`,
    "",
    `${serviceName} forwards mail for others; only they know where it goes.`,
    "",
  ].join("\r\n");
  return part("text/plain; charset=utf-8", text);
}

function deliveryStatus(report: Report): string {
  const { proxyAddress, diagnostic, status, serviceDomain, receivedAt, reportedAt } = report;
  const isInAscii = isPrintableAscii(proxyAddress);
  const fields = [
    `Reporting-MTA: dns; ${serviceDomain}`,
    `Arrival-Date: ${headerDate(receivedAt)}`,
    "",
    // RFC 6533 section 3: addresses beyond ASCII have a type of their own.
    `Final-Recipient: ${isInAscii ? "rfc822" : "utf-8"}; ${proxyAddress}`,
    "Action: failed",
    `Status: ${status}`,
    // RFC 3464 section 2.3.6: what a server replied, its code first; where none did, there is nothing to give.
    ...(/^\d/.test(diagnostic) ? [`Diagnostic-Code: smtp; ${diagnostic}`] : []),
    `Last-Attempt-Date: ${headerDate(reportedAt)}`,
    "",
  ].join("\r\n");
  return part(isInAscii ? "message/delivery-status" : "message/global-delivery-status", fields);
}

/** Enough for the author to know which message it was. */
function originalHeader({ original }: Report): string {
  if (!original || original.shown.length === 0) return "";
  const text = original.shown.map(({ raw }) => `${Buffer.from(raw, "latin1").toString("utf8")}\r\n`).join("");
  return part(/^[\r\n\t -~]*$/.test(text) ? "text/rfc822-headers" : "message/global-headers", text);
}

function part(type: string, content: string): string {
  const encoding = /^[\r\n\t -~]*$/.test(content) ? "7bit" : "8bit";
  return [`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, "", content].join("\r\n");
}

function quoted(name: string): string {
  return `"${name.replace(/[^ -~]/g, "").replace(/["\\]/g, "\\$&")}"`;
}
