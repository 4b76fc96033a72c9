/** Words of a User-Agent header, and what they stand for. The first that is found counts, since most browsers claim to be several. */
type Words = readonly (readonly [pattern: RegExp, name: string])[];

const browsers: Words = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|Chromium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: Words = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Of the header: no name that is known here stands behind this. */
const readCharacters = 512;

/**
 * A plain name of what a User-Agent header (RFC 9110 section 10.1.5) is of, such as "Firefox on Linux"; of a program that is
 * no browser, its product's name. At most 40 characters; undefined where it says neither.
 */
export function browserName(userAgent: string | undefined): string | undefined {
  const words = (userAgent ?? "").slice(0, readCharacters);
  const browser = nameIn(words, browsers);
  const system = nameIn(words, systems);
  if (browser) return system ? `${browser} on ${system}` : browser;
  const [, product] = /^([\w.-]{1,40})(?=[/ ]|$)/.exec(words) ?? [];
  // All browsers begin with it, known here or not.
  return product === "Mozilla" ? system : product;
}

function nameIn(words: string, names: Words): string | undefined {
  return names.find(([pattern]) => pattern.test(words))?.[1];
}
