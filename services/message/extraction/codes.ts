const maxCodes = 20;
/** Beyond this nobody writes a code that is to be typed. */
const searchedCharacters = 64 * 1024;

/**
 * Digits in one or two groups, or capitals and digits. Neither within a longer word, a number, an address or a URL; a Hebrew preposition may
 * stand before them with a hyphen.
 */
const candidate =
  /(?<![\w@.,:/#&=%+$€£₪٫٬]|(?<!\p{Script=Hebrew})-)(?:\d{4,8}|\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|[A-Z]-\d{4,8}|(?=[A-Z]*\d)[A-Z0-9]{5,8})(?![\w@/%€£₪٪-]|[.,:٫٬]\d)/gu;

/** The last line of a message for a web site: `@example.com #123456` (origin-bound one-time codes). */
const originBound = /^@[\w.-]{1,253} #([\w-]{3,12})\s*$/gm;

/** In front of "code": a postal code, a bar code, a voucher; and verbs. Others are many: Bestätigungscode, verificatiecode, engångskod. */
const noSecret =
  "(?<!(?:post|zip|bar|strich|qr|area|country|sort|error|status|source|product|promo|promotions|coupon|discount|gift|voucher|booking|reservation|gutschein|rabatt|aktions|buchungs|reservierungs|kunden)[ -]?)(?<!en|de|uni)";

/** Code, password, verification, with what is written as one word with them. Not of a post office, a voucher, a product or an order. */
const hebrew =
  "(?<!\\p{L})[והבלכמש]{0,3}(?:קוד(?:ך|כם)?|סיסמ[הת]|אימות)(?!\\p{L}| ה?(?:קופון|הנחה|שובר|מבצע|מוצר|פריט|הזמנה|דואר))";

/** The same in Arabic, and code in Persian. */
const arabic =
  "(?<!\\p{L})(?:[وفبك]?ال|[وف]?لل|[وفبلك])?(?:رمز|كود|کد)(?:ك|كم)?" +
  "(?![\\p{L}\\p{M}]| (?:ال)?(?:بريدي|قسيمة|خصم|كوبون|منتج|حجز|طلب|پستی|تخفیف))" +
  "|(?<!\\p{L})(?:كلمة (?:المرور|مرور|السر|سر)|(?:[وفبك]?ال|لل)?تحقق|الرقم السري|رقم سري)(?![\\p{L}\\p{M}])";

/** What announces a code, in the languages that are written to people here. */
const announcement = new RegExp(
  `(?=[ck])${noSecret}(?:codes?|kode?|kód)(?!\\p{L}| posta)|(?:passcode|password|passwort|kennwort)(?!\\p{L})` +
    "|(?<!\\p{L})(?:otp|pin|token|tan|verification|verify|verifizier\\p{L}{0,8}|confirm|confirmation|bestätig\\p{L}{0,8})(?!\\p{L})" +
    "|(?<!\\p{L})(?:codice|codigo|código)(?!\\p{L}| posta)|код|コード|验证码|驗證碼|코드" +
    `|${hebrew}|${arabic}`,
  "giu",
);

/** Marks of direction, which stand around a code in text from right to left. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Arabic-Indic digits and those of Persian and Urdu. */
const otherDigits = /[٠-٩۰-۹]/g;

/** So far before a code stands what announces it. */
const before = 120;
const after = 60;

/**
 * The one-time codes of a message, the likeliest first: those that a web site's line binds, those that are announced as a code,
 * the closest to the announcement first, then those that stand on a line of their own. Separators within are left out, and digits are those
 * of ASCII, which forms take.
 */
export function codesIn(given: string): string[] {
  const text = given
    .slice(0, searchedCharacters)
    .replaceAll(directionMarks, "")
    .replaceAll(otherDigits, (digit) => String(digit.charCodeAt(0) & 0xf));
  const bound = [...text.matchAll(originBound)].map(([, code = ""]) => code);
  const found = [...text.matchAll(candidate)].map((match) => ({ code: match[0], at: match.index }));
  const announced = found
    .map((each) => ({ ...each, distance: distance(text, each.at, each.code) }))
    .filter((each) => each.distance < Infinity)
    .sort((one, other) => one.distance - other.distance);
  const alone = found.filter(({ at, code }) => isLine(text, at, code.length) && !isYear(code));
  const codes = [...bound, ...[...announced, ...alone].map(({ code }) => plain(code))];
  return [...new Set(codes)].slice(0, maxCodes);
}

/** Between what announces a code and the code that stands alone on a line below. */
const endsItsLine = /^[^.!?\n]*\n\s*$/;

/** Characters between a candidate and what announces it; what looks like a year is one, unless its own line announces it. */
function distance(text: string, at: number, code: string): number {
  const prefix = text.slice(Math.max(0, at - before), at);
  const ahead = isYear(code) ? prefix.slice(prefix.lastIndexOf("\n") + 1) : prefix;
  const behind = text.slice(at + code.length, at + code.length + after).split("\n", 1)[0] ?? "";
  const [last] = [...ahead.matchAll(announcement)].slice(-1);
  if (last && endsItsLine.test(ahead.slice(last.index + last[0].length)) && isLine(text, at, code.length)) return 0;
  const [first] = isYear(code) ? [] : behind.matchAll(announcement);
  return Math.min(
    last ? lengthOf(ahead.slice(last.index + last[0].length)) : Infinity,
    first ? lengthOf(behind.slice(0, first.index)) : Infinity,
  );
}

/** The end of a sentence or of a line counts for more than anything within one. */
function lengthOf(between: string): number {
  return between.length + (/[.!?؟۔\n]/.test(between) ? before : 0);
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
