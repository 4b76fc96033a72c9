export interface HiddenAddress {
  /** The real address, which nobody but its owner is to learn. */
  realAddress: string;
  /** What may stand in its place. */
  proxyAddress: string;
}

const anyAddress = /[^\s<>()[\],;:"]+@[^\s<>()[\],;:"]+/g;
const anyUrl = /\b[a-z][a-z\d+.-]*:\/\/\S+/gi;
/** At least two labels, the last of letters: enhanced status codes and numbers are none. */
const anyHost =
  /(?<![\p{L}\p{N}_-])(?:[\p{L}\p{N}_-]+\.)+(?:\p{L}[\p{L}\p{N}-]*\p{L}|xn--[\w-]+)(?![\p{L}\p{N}_-])\.?/gu;
const anyIpv4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
const anyIpv6 = /(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi;
/** A shorter local part is hidden where it is a word, not within others. */
const telltaleLength = 4;

/**
 * A server's answer without anything that tells where a proxy address leads: the real address and every other one, its
 * local part, host names, IP addresses and links, since the next hop's own would tell the provider.
 */
export function cleanDiagnostic(text: string, { realAddress, proxyAddress }: HiddenAddress): string {
  const at = realAddress.lastIndexOf("@");
  const [localPart, domain] = [realAddress.slice(0, at), realAddress.slice(at + 1)];
  const named = replaceEach(text, realAddress, proxyAddress);
  const [, ...proxied] = named.split(proxyAddress).flatMap((part) => [proxyAddress, hidden(part)]);
  return proxied.join("").trim();

  function hidden(part: string): string {
    let rest = part.replace(anyUrl, "[link]").replace(anyAddress, "[address]");
    rest = replaceEach(rest.replace(anyHost, "[host]"), domain, "[host]");
    rest = rest.replace(anyIpv4, "[host]").replace(anyIpv6, "[host]");
    for (const name of new Set([localPart, localPart.replace(/[+=].*$/s, "")])) rest = withoutName(rest, name);
    return rest;
  }
}

function withoutName(text: string, name: string): string {
  if (name === "") return text;
  if (name.length >= telltaleLength) return replaceEach(text, name, "[address]");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "giu"), "[address]");
}

/** Without regard to case. */
function replaceEach(text: string, part: string, replacement: string): string {
  return part === "" ? text : text.replace(new RegExp(escaped(part), "giu"), () => replacement);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
