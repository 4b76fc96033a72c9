const byMime: Readonly<Record<string, string>> = {
  "text/plain": "TXT",
  "text/calendar": "ICS",
  "image/jpeg": "JPG",
  "image/svg+xml": "SVG",
  "message/rfc822": "EML",
};

/** A short name of an attachment's type, as “DOCX”: how its file's name ends, or else its media type where that is short. */
export function shortTypeOf(filename: string, mime: string): string | undefined {
  const [, ending] = /\.([a-z0-9]{1,5})$/i.exec(filename) ?? [];
  const type = mime.toLowerCase();
  const [, subtype] = /^[^/]+\/(?:x-)?([a-z0-9]{1,5})$/.exec(type) ?? [];
  return (ending ?? byMime[type] ?? subtype)?.toUpperCase();
}
