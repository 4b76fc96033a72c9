import { decodeCharset } from "../../../message/coding/charset.ts";
import { readTokensInTurns } from "./markup-tokens.ts";
import { invisible } from "./text-readings.ts";

/** What Office writes text in: w:t, a:t and t (ISO/IEC 29500-1 sections 17.3.3.31, 21.1.2.3.11 and 18.4.12). Between them is only how it looks. */
const runText = "t";
/** What ends a paragraph or a cell, or parts the words in it. */
const separators = new Set(["p", "si", "br", "cr", "tab"]);
const longestName = 40;

/**
 * The text of an XML document as programs show it, all that is in it and what is in runs of Office alone, each run joined to the next one of its
 * paragraph: programs split words over elements wherever their look, spelling or history changes. None of what is no XML. In one pass.
 */
export async function xmlTexts(bytes: Buffer): Promise<string[]> {
  const xml = decoded(bytes);
  if (!/^\s*</.test(xml)) return [];
  let [all, runs, isInRun] = ["", "", false];
  const show = (shown: string): void => {
    all += shown;
    if (isInRun) runs += shown;
  };
  const nameOf = (begin: number, end: number): string => {
    const name = xml.slice(begin, Math.min(end, begin + longestName));
    return name.slice(name.indexOf(":") + 1);
  };
  const seeTag = (name: string, isOpening: boolean): void => {
    if (name === runText) isInRun = isOpening;
    else if (separators.has(name)) runs += "\n";
  };
  await readTokensInTurns(xml, "xml", {
    ontext: (begin, end) => show(xml.slice(begin, end)),
    oncdata: (begin, end, offset) => show(xml.slice(begin, end - offset)),
    ontextentity: (code) => show(String.fromCodePoint(code)),
    onopentagname: (begin, end) => seeTag(nameOf(begin, end), true),
    onclosetag: (begin, end) => seeTag(nameOf(begin, end), false),
    onselfclosingtag() {
      isInRun = false;
    },
  });
  return [...new Set([all, runs])].map((text) => text.replaceAll(invisible, ""));
}

/** XML is UTF-8 unless it says otherwise; what Office says is UTF-16 (XML 1.0 appendix F). */
function decoded(bytes: Buffer): string {
  const mark = bytes.toString("latin1", 0, 2);
  const charset = mark === "\u00ff\u00fe" ? "utf-16le" : mark === "\u00fe\u00ff" ? "utf-16be" : "utf-8";
  return decodeCharset(bytes, charset) ?? bytes.toString("latin1");
}
