import { setImmediate as nextTurn } from "node:timers/promises";
import { addressSpellings, comparableAddress } from "../../../message/address/addr-spec.ts";
import { reverseAddressPattern, reverseToken } from "../../../message/address/reverse-address.ts";
import { withoutEntities } from "./address-search.ts";
import { changedInTurns, turnCharacters } from "./pieces.ts";
import { quotedHtml, quotedText, type Region } from "./quoted-regions.ts";
import { shownHtml } from "./text-readings.ts";

/** What stands for addresses of the owner's side outside. */
export interface Replacements {
  readonly realAddresses: readonly string[];
  readonly proxyAddress: string;
  /** By reverse address as it is compared: the contact's own; absent for those that lead nowhere. */
  readonly contacts: ReadonlyMap<string, string>;
  /** A responder wrote it: what it quotes is left out, whatever that is, so that nobody can ask it whether a guessed address is right. */
  readonly isAutomatic?: boolean;
}

const leftOut = "[...]";
const encodedCharacter = /&#|&commat|%40|%2b|%2e/i;

/** Addresses in the quoted parts of text that a person wrote, replaced. */
export async function replaceInText(text: string, replacements: Replacements): Promise<string> {
  const quoted = await quotedText(text);
  if (replacements.isAutomatic) return replaceWithin(text, joined(quoted), () => `${leftOut}\r\n`);
  const sought = soughtBy(replacements);
  return replaceWithin(text, quoted, (region) => replaceInPlain(region, sought));
}

/** The same for HTML, where addresses stand in URLs and as character references as well. */
export async function replaceInHtml(html: string, replacements: Replacements): Promise<string> {
  const quoted = await quotedHtml(html);
  if (replacements.isAutomatic) return replaceWithin(html, joined(quoted), () => `<p>${leftOut}</p>`);
  const sought = soughtBy(replacements);
  return replaceWithin(html, quoted, (region) => replaceInMarkup(region, sought));
}

/** Some programs send an invitation, or an answer to one, a second time as a file. */
export const calendarTypes: ReadonlySet<string> = new Set(["text/calendar", "application/ics"]);
const calendarNames = /^(?:ORGANIZER|ATTENDEE)\b/i;

/** An answer to an invitation (RFC 5546 section 3.2.3) names its author: there the proxy address does. */
export function replaceInCalendar(text: string, replacements: Replacements): string {
  const sought = soughtBy(replacements);
  return replaceInPeople(text, (line) => replaceAll(line, sought));
}

/** The lines of a calendar that name people, replaced; they are given unfolded. */
export function replaceInPeople(text: string, replace: (line: string) => string): string {
  return text
    .split(/\r?\n(?![ \t])/)
    .map((line) => {
      if (!calendarNames.test(line)) return line;
      const unfolded = line.replaceAll(/\r?\n[ \t]/g, "");
      const replaced = replace(unfolded);
      return replaced === unfolded ? line : foldedLine(replaced);
    })
    .join("\r\n");
}

/** RFC 5545 section 3.1: 75 octets. Counted, and not measured: a line may be as long as the message. */
function foldedLine(line: string): string {
  const pieces: string[] = [];
  let [from, octets] = [0, 0];
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) as number;
    const more = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + more > 73) {
      pieces.push(line.slice(from, at));
      [from, octets] = [at, 0];
    }
    octets += more;
    at += more === 4 ? 2 : 1;
  }
  return [...pieces, line.slice(from)].join("\r\n ");
}

/** Those that touch are one. */
function joined(regions: readonly Region[]): Region[] {
  const found: Region[] = [];
  for (const [from, to] of regions) {
    const last = found.at(-1);
    if (last && last[1] >= from) found[found.length - 1] = [last[0], Math.max(last[1], to)];
    else found.push([from, to]);
  }
  return found;
}

async function replaceWithin(
  text: string,
  regions: readonly Region[],
  replace: (region: string) => string | Promise<string>,
): Promise<string> {
  let replaced = "";
  let at = 0;
  let turnAt = turnCharacters;
  for (const [from, to] of regions) {
    if (to <= at) continue;
    replaced += text.slice(at, Math.max(at, from)) + (await replace(text.slice(Math.max(at, from), to)));
    at = to;
    if (at < turnAt) continue;
    await nextTurn();
    turnAt = at + turnCharacters;
  }
  return replaced + text.slice(at);
}

/** What to look for in a text, and what stands for it outside. */
interface Sought {
  readonly pattern: RegExp;
  outside(found: string): string;
}

function soughtBy({ realAddresses, proxyAddress, contacts }: Replacements): Sought {
  // Of two that begin alike the longer one.
  const spellings = realAddresses.flatMap(addressSpellings).sort((one, other) => other.length - one.length);
  return {
    pattern: new RegExp(
      [...spellings.map((each) => RegExp.escape(each)), reverseAddressPattern.source].join("|"),
      "giu",
    ),
    outside: (found) =>
      reverseToken(found) === undefined ? proxyAddress : (contacts.get(comparableAddress(found)) ?? found),
  };
}

function replaceAll(text: string, { pattern, outside }: Sought): string {
  return text.replaceAll(pattern, outside);
}

/** Addresses in URLs as well, such as those that scanners of links write their reader's into. */
function replaceInPlain(text: string, sought: Sought): Promise<string> {
  return replaceInWords(replaceAll(text, sought), percentDecoded, sought);
}

/** Attributes and text with their references undone, where that shows an address; percent-encoding in URLs as well. */
async function replaceInMarkup(html: string, sought: Sought): Promise<string> {
  const decoded = (word: string) => percentDecoded(withoutEntities(word));
  return replaceInShown(await replaceInWords(replaceAll(html, sought), decoded, sought), sought);
}

function replaceInWords(text: string, decode: (word: string) => string, sought: Sought): Promise<string> {
  const replaceWord = (word: string): string => {
    if (!encodedCharacter.test(word)) return word;
    const decoded = decode(word);
    const replaced = replaceAll(decoded, sought);
    return replaced === decoded ? word : replaced;
  };
  return changedInTurns(text, /[\s<>"'()]/g, (piece) => piece.replaceAll(/[^\s<>"'()]+/g, replaceWord));
}

/** Of what stands in addresses alone, so that the URL around one stays the same. */
function percentDecoded(word: string): string {
  return word.replaceAll(/%(40|2b|2e|5f|2d)/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Addresses that tags, comments and invisible characters part: their own characters go, so that elements end where they did. */
async function replaceInShown(html: string, { pattern, outside }: Sought): Promise<string> {
  const { text, from, to } = await shownHtml(html);
  let replaced = "";
  let at = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (outside(found) === found) continue;
    replaced += html.slice(at, from[index]) + outside(found);
    const end = index + found.length;
    for (let next = index + 1; next < end; next += 1) replaced += html.slice(to[next - 1], from[next]);
    at = to[end - 1] as number;
  }
  return replaced + html.slice(at);
}

/** What is taken for an address, in whatever letter case and notation. */
export function addressPattern(address: string): RegExp {
  return new RegExp(
    addressSpellings(address)
      .map((each) => RegExp.escape(each))
      .join("|"),
    "iu",
  );
}
