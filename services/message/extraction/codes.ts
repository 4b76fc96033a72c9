const maxCodes = 20;
/** Beyond this nobody writes a code that is to be typed. */
const searchedCharacters = 64 * 1024;

/** Digits in one or two groups, or capitals and digits. Neither within a longer word, a number, an address or a URL. */
const candidate =
  /(?<![\w@.,:/#&=%+$€£-])(?:\d{4,8}|\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|[A-Z]-\d{4,8}|(?=[A-Z]*\d)[A-Z0-9]{5,8})(?![\w@/%€£-]|[.,:]\d)/g;

/** The last line of a message for a web site: `@example.com #123456` (origin-bound one-time codes). */
const originBound = /^@[\w.-]{1,253} #([\w-]{3,12})\s*$/gm;

/** What announces a code, in the languages that are written to people here. */
const announcement =
  /\b(?:code|codes|otp|pin|passcode|password|token|tan|verification|verify|confirm|confirmation|einmalcode|kennwort|codigo|código|codice|kod|kode)\b|код|コード|验证码|驗證碼|코드/i;

/** So far before a code stands what announces it. */
const before = 120;
const after = 60;

/**
 * The one-time codes of a message, the likeliest first: those that a web site's line binds, those that are announced as a code, then
 * those that stand on a line of their own. Separators within are left out.
 */
export function codesIn(given: string): string[] {
  const text = given.slice(0, searchedCharacters);
  const bound = [...text.matchAll(originBound)].map(([, code = ""]) => code);
  const found = [...text.matchAll(candidate)].map((match) => ({ code: match[0], at: match.index }));
  const announced = found.filter(({ at, code }) => isAnnounced(text, at, code));
  const alone = found.filter(({ at, code }) => isLine(text, at, code.length) && !isYear(code));
  const codes = [...bound, ...[...announced, ...alone].map(({ code }) => plain(code))];
  return [...new Set(codes)].slice(0, maxCodes);
}

/** What looks like a year is one, unless its own line announces it. */
function isAnnounced(text: string, at: number, code: string): boolean {
  const prefix = text.slice(Math.max(0, at - before), at);
  if (isYear(code)) return announcement.test(prefix.slice(prefix.lastIndexOf("\n") + 1));
  const suffix = text.slice(at + code.length, at + code.length + after).split("\n", 1)[0] ?? "";
  return announcement.test(prefix) || announcement.test(suffix);
}

/** Alone on its line but for blanks, of which `before` are looked at: a line of 64 KiB is not searched for each candidate in it. */
function isLine(text: string, at: number, length: number): boolean {
  const [ahead, behind] = [text.slice(Math.max(0, at - before), at), text.slice(at + length, at + length + before)];
  const start = ahead.slice(ahead.lastIndexOf("\n") + 1);
  const end = behind.split("\n", 1)[0] ?? "";
  const isWhole =
    (ahead.includes("\n") || at <= before) && (behind.includes("\n") || at + length + before >= text.length);
  return isWhole && start.trim() === "" && end.trim() === "";
}

function isYear(code: string): boolean {
  return /^(?:19|20)\d\d$/.test(code);
}

function plain(code: string): string {
  return /^\d+[ -]\d+$/.test(code) ? code.replace(/[ -]/, "") : code;
}
