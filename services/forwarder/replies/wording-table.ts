import { readFileSync } from "node:fs";
import { isReason, type Reason } from "./reasons.ts";

/** A line of wordings.txt. */
interface Wording {
  /** Whose wording it is, as far as we know. */
  provider: string;
  reason: Reason;
  /** As written in the file. */
  phrase: string;
  /** Where the words begin in a text; -1 if they are not in it. */
  indexIn(text: string): number;
}

/** What "*" stands for: bounded, so that no reply takes long to match. */
const anyText = ".{0,100}?";

/** The wordings of wordings.txt. @throws Error naming a line that cannot be read */
export function readWordings(): Wording[] {
  const lines = readFileSync(new URL("./wordings.txt", import.meta.url), "utf8").split("\n");
  let provider = "";
  return lines.flatMap((line, index) => {
    const heading = /^\[(.+)\]$/.exec(line);
    if (heading) provider = heading[1] ?? "";
    if (heading || line === "" || line.startsWith("#")) return [];
    const [, reason = "", phrase = ""] = /^(\S+) +(\S.*)$/.exec(line) ?? [];
    if (!isReason(reason) || phrase === "") throw new Error(`wordings.txt, line ${index + 1} cannot be read: ${line}`);
    return [{ provider, reason, phrase, indexIn: finderOf(phrase) }];
  });
}

/** The literal pieces are looked for first: that is far cheaper than the pattern, and of most wordings none is there. */
function finderOf(phrase: string): Wording["indexIn"] {
  const pieces = phrase.split("*");
  const before = /^[a-z\d]/.test(phrase) ? "(?<![a-z\\d])" : "";
  const after = /[a-z\d]$/.test(phrase) ? "(?![a-z\\d])" : "";
  const pattern = new RegExp(`${before}${pieces.map((piece) => RegExp.escape(piece)).join(anyText)}${after}`);
  return (text) => (pieces.every((piece) => text.includes(piece)) ? text.search(pattern) : -1);
}
