/** As RFC 5321 section 4.1.2 and RFC 6531 section 3.3 have a path with a Quoted-string; the code points of C1 are left out. */
const commandWithQuoted = /^([^:]*:\s*<)("(?:[ !#-[\]-~\u00a0-\uffff]|\\[ -~])*")(@[^<>@"\s]+>(?:\s.*)?)$/s;
/** Formatting characters that smtp-server takes in no address: they make one look like another. */
const invisible = /[\u200b\u2060\ufeff]/;

interface UnquotedCommand {
  /** The command with a local part of the same length that needs no quotes. */
  readonly command: string;
  readonly quoted: string;
}

/**
 * MAIL or RCPT without its quoted local part: smtp-server parts a command at blanks, angle brackets and "@", quoted or not. Undefined where there is none,
 * or it is not well-formed: that is for smtp-server to refuse.
 */
export function withoutQuotedLocalPart(command: string): UnquotedCommand | undefined {
  const [, before = "", quoted = "", after = ""] = commandWithQuoted.exec(command) ?? [];
  if (quoted === "" || invisible.test(quoted)) return undefined;
  return { command: `${before}${"q".repeat(quoted.length)}${after}`, quoted };
}
