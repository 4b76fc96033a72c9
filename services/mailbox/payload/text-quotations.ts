/** A reply without what it quotes and without its signature. */
interface StrippedText {
  readonly text: string;
  /** "" when there is none. */
  readonly signature: string;
}

/** "On Mon, 5 Jan 2026 at 10:00, Ann <ann@example.org> wrote:" as common clients write it, in one of their languages. */
const attribution =
  /^(?:(?:on|am|le|el|il|op|em|den|w dniu|dnia)\s[\s\S]{1,300}?(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał(?:\(a\))?)|.{1,200}(?:пишет|написал(?:а|\(а\))?)|.{1,120}<[^<>@]+@[^<>]+> (?:schrieb|wrote))[^:]{0,80}:$/i;
/** Unless quoted lines follow, only a line with an address or a time of day counts as an attribution. */
const certainAttribution = /@|\d{1,2}[:.h]\d{2}/;

const originalMessage =
  /^-{2,}\s*(?:original message|original appointment|ursprüngliche nachricht|message d.origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|исходное сообщение)\s*-{2,}$/i;
const forwardedMessage =
  /^(?:-{2,}\s*(?:forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado)\s*-{2,}|begin forwarded message:)\s*$/i;

/** The block of headers that Outlook puts before what it quotes. */
const quotedFrom = /^\*?(?:from|von|de|da|van|od|от)\s?:\*?\s+\S/i;
const quotedHeader =
  /^\*?(?:sent|date|to|subject|cc|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto|inviato|a|oggetto|verzonden|aan|onderwerp|assunto|отправлено|кому|тема)\s?:\*?\s+\S/i;

/** RFC 3676 section 4.3; some clients drop the space. */
const signatureMark = /^--\s?$/;
const deviceSignature =
  /^(?:sent from (?:my |mail for |outlook|yahoo)|get outlook for |von meinem .{1,40} gesendet|gesendet von |envoyé de mon |enviado desde mi |inviato da |verzonden vanaf )/i;

const attributionLines = 3;
/** A longer line is not taken for an attribution or a header. */
const lineLimit = 500;

/** Only so much of a text is searched for quotations: what somebody writes is shorter. */
const searchedCharacters = 256 * 1024;

/** Removes quotations and signature from a plain-text reply. A forwarded message is no quotation and stays. */
export function stripText(text: string): StrippedText {
  const end = text.length <= searchedCharacters ? text.length : text.lastIndexOf("\n", searchedCharacters) + 1;
  const { lines, isForward, isReply } = unquoted(text.slice(0, end).replaceAll("\r\n", "\n").split("\n"));
  // The rest is not searched: it is left out only where all that follows is a quotation.
  if (end < text.length && !isReply) return { text: `${lines.join("\n")}${text.slice(end)}`.trim(), signature: "" };
  return isForward ? { text: joined(lines), signature: "" } : splitSignature(lines);
}

interface Unquoted {
  lines: string[];
  isForward: boolean;
  /** From some line on all is a quotation. */
  isReply: boolean;
}

function unquoted(lines: readonly string[]): Unquoted {
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (forwardedMessage.test(line))
      return { lines: [...kept, ...lines.slice(index)], isForward: true, isReply: false };
    if (line.startsWith(">")) continue;
    const quoting = quotationAt(lines, index);
    if (quoting === 0) kept.push(line);
    else if (!isMarked(lines, index + quoting)) return { lines: kept, isForward: false, isReply: true };
    else index += quoting - 1;
  }
  return { lines: kept, isForward: false, isReply: false };
}

/** The number of lines that introduce a quotation here; 0 if none do. */
function quotationAt(lines: readonly string[], index: number): number {
  const line = lines[index]?.trim() ?? "";
  if (line === "" || line.length > lineLimit) return 0;
  if (originalMessage.test(line)) return 1;
  if (/^_{10,}$/.test(line) && isHeaderCollector(lines, index + 1)) return 1;
  if (isHeaderCollector(lines, index)) return 1;
  return attributionAt(lines, index);
}

/** An attribution may be wrapped over a few lines. */
function attributionAt(lines: readonly string[], index: number): number {
  for (let count = 1; count <= attributionLines; count++) {
    const candidate = lines.slice(index, index + count);
    const last = candidate.at(-1)?.trim() ?? "";
    if (last === "" || last.length > lineLimit) return 0;
    const isFound =
      isAttribution(candidate) && (isMarked(lines, index + count) || certainAttribution.test(candidate.join(" ")));
    if (isFound) return count;
  }
  return 0;
}

function isAttribution(lines: readonly string[]): boolean {
  const text = lines.map((line) => line.trim()).join(" ");
  return text.endsWith(":") && attribution.test(text);
}

function isHeaderCollector(lines: readonly string[], index: number): boolean {
  return (
    quotedFrom.test(lines[index] ?? "") &&
    lines.slice(index + 1, index + 5).filter((line) => quotedHeader.test(line)).length >= 2
  );
}

/** Whether the quoted lines begin with ">", so that the reply may go on between or below them. */
function isMarked(lines: readonly string[], from: number): boolean {
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (line.trim() !== "") return line.startsWith(">");
  }
  return false;
}

function splitSignature(lines: readonly string[]): StrippedText {
  const mark = lines.findLastIndex((line) => signatureMark.test(line));
  if (mark >= 0) return { text: joined(lines.slice(0, mark)), signature: joined(lines.slice(mark + 1)) };
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (last > 0 && deviceSignature.test(lines[last]?.trim() ?? ""))
    return { text: joined(lines.slice(0, last)), signature: joined(lines.slice(last)) };
  return { text: joined(lines), signature: "" };
}

function joined(lines: readonly string[]): string {
  return lines.join("\n").trim();
}
