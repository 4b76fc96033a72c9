// Files that are messages, or folders of them (RFC 4155).

/** Of a message, whatever it is called: in its header. */
const messageField = /^(?:mime-version|content-type|message-id)[ \t]*:/im;
const headerEnd = /\r?\n\r?\n/;
const firstField = /^[!-9;-~]+[ \t]*:/;
const beginningBytes = 64 * 1024;
/** A mark of its encoding, or its length, as Apple Mail keeps it. */
const before = /^(?:\xef\xbb\xbf|\d{1,10} *\r?\n)/;
/** Of a folder, before each message and behind an empty line. */
const separator = /(?<=^|\n\r?\n)From [^\r\n]{0,500}\r?\n(?=[!-9;-~]{1,100}[ \t]*:)/g;

/** The message that a file is, or those of a folder one by one; none for other files. */
export function* messagesInFile(bytes: Buffer): Generator<Buffer> {
  const beginning = bytes.toString("latin1", 0, beginningBytes);
  const start = before.exec(beginning)?.[0].length ?? 0;
  if (isMessage(beginning.slice(start))) yield bytes.subarray(start);
  else if (bytes.subarray(start, start + 5).equals(Buffer.from("From "))) yield* folder(bytes.subarray(start));
}

function isMessage(beginning: string): boolean {
  const [header = ""] = beginning.split(headerEnd, 1);
  return firstField.test(header) && messageField.test(header);
}

function* folder(bytes: Buffer): Generator<Buffer> {
  const separators = [...bytes.toString("latin1").matchAll(separator)];
  for (const [at, { 0: line, index }] of separators.entries())
    yield bytes.subarray(index + line.length, separators[at + 1]?.index);
}
