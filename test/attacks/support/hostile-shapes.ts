/** A message that is made to cost its recipient's server much. */
interface HostileShape {
  readonly name: string;
  /** The message in pieces, of about this size; what is hostile in a header alone is as long as headers may be. */
  message(sizeBytes: number): Generator<Buffer>;
}

const pieceBytes = 64 * 1024;
const crlf = "\r\n";
/** Header sections that are longer are refused. */
const longHeaderBytes = 200_000;

/** Some octets again and again, up to a size. */
function* repeated(unit: string | Buffer, sizeBytes: number): Generator<Buffer> {
  const bytes = Buffer.from(unit as string);
  const piece = Buffer.concat(Array(Math.ceil(pieceBytes / bytes.length)).fill(bytes));
  const count = Math.max(1, Math.floor(sizeBytes / bytes.length)) * bytes.length;
  for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

function header(lines: readonly string[]): Buffer {
  return Buffer.from(
    ["From: author@example.org", "To: shop@example.org", "MIME-Version: 1.0", ...lines, "", ""].join(crlf),
  );
}

interface Body {
  type: string;
  unit: string | Buffer;
  before?: string;
  encoding?: string;
  lines?: string[];
}

/** A message whose body is a beginning and then one thing again and again. */
function body(name: string, { type, unit, before = "", encoding, lines = [] }: Body): HostileShape {
  return {
    name,
    *message(sizeBytes) {
      const encodings = encoding === undefined ? [] : [`Content-Transfer-Encoding: ${encoding}`];
      yield header([`Subject: ${name}`, `Content-Type: ${type}`, ...encodings, ...lines]);
      yield Buffer.from(before);
      yield* repeated(unit, sizeBytes);
      yield Buffer.from(crlf);
    },
  };
}

const html = (name: string, unit: string, before = "") =>
  body(name, { type: "text/html; charset=utf-8", unit, before });
const text = (name: string, unit: string | Buffer, charset = "utf-8") =>
  body(name, { type: `text/plain; charset=${charset}`, unit });
const encoded = (name: string, encoding: string, unit: string) => body(name, { type: "text/html", unit, encoding });
const mixed = (name: string, unit: string, before = "") =>
  body(name, { type: 'multipart/mixed; boundary="boundary"', unit, before });

/** A message with one long header field, made of a unit again and again. */
function field(name: string, fieldName: string, unit: string): HostileShape {
  return {
    name,
    *message(sizeBytes) {
      yield Buffer.from(`Subject: ${name}${crlf}${fieldName}: `);
      yield* repeated(unit, Math.min(sizeBytes, longHeaderBytes));
      yield Buffer.from(`${crlf}From: author@example.org${crlf}${crlf}body${crlf}`);
    },
  };
}

const part = (head: string, content: string) => `--boundary${crlf}${head}${crlf}${crlf}${content}${crlf}`;
const htmlPart = part("Content-Type: text/html", "<p>x");

/** Multiparts within each other, each with a boundary of its own. */
function nested(name: string, isClosed: boolean): HostileShape {
  const boundary = (depth: number) => `boundary-${depth}`;
  return {
    name,
    *message(sizeBytes) {
      yield header([`Subject: ${name}`, `Content-Type: multipart/mixed; boundary="${boundary(0)}"`]);
      const depth = Math.floor(sizeBytes / 90);
      for (let level = 0; level < depth; level++) {
        const type = `Content-Type: multipart/mixed; boundary="${boundary(level + 1)}"`;
        yield Buffer.from(`--${boundary(level)}${crlf}${type}${crlf}${crlf}`);
      }
      for (let level = depth; isClosed && level >= 0; level--) yield Buffer.from(`--${boundary(level)}--${crlf}`);
    },
  };
}

const quotedReply = "On Mon, 5 Jan 2026 at 10:00, wrote wrote wrote wrote Ann <ann@example.org>:\r\n";

/** Each shape was found, or is likely, to cost far more than its length. */
export const hostileShapes: readonly HostileShape[] = [
  html("less-than signs", "<"),
  html("lines of a less-than sign", "<\r\n"),
  html("tags without an end", "<a "),
  html("open elements", "<b>"),
  html("open divisions", "<div>"),
  html("end tags alone", "</p>"),
  html("attributes of one tag", "a b ", "<p "),
  html("attributes with values", 'a="b" ', "<p "),
  html("a value without an end", "x", '<a href="'),
  html("a comment without an end", "-", "<!--"),
  html("comments without an end", "<!--"),
  html("entities", "&amp;"),
  html("entities without an end", "&lt"),
  html("numeric entities", "&#x41;"),
  html("ampersands", "&"),
  html("line break elements", "<br>"),
  html("table cells", "<td>x"),
  html("nested tables", "<table><tr><td>"),
  html("links", '<a href="http://example.org/">x</a>'),
  html("open links", '<a href="http://example.org/">x'),
  html("text in open links", "x ", '<a href="http://example.org/1">'.repeat(250)),
  html("preformatted lines", "\r\n", "<pre>"),
  html("spaces", " "),
  html("script elements", "<script>"),
  html("a style without an end", "x", "<style>"),
  html("quotations in each other", '<div class="gmail_quote">'),
  html("quotations of hyphens", `<div class="gmail_quote">${"-".repeat(900)}</div>\r\n`),
  html("block quotations", '<blockquote type="cite">x</blockquote>'),
  html("list items", "<li>"),
  html("pictures with a text", '<img alt="x">'),
  html("CDATA sections", "<![CDATA["),
  html("processing instructions", "<?x "),
  html("a title without an end", "x<b>", "<title>"),
  html("foreign elements", "<svg><math>"),
  text("one line", "a"),
  text("line ends", "\r\n"),
  text("quotation marks", '"'),
  text("markup characters", "<&>"),
  text("control characters", "\u0001"),
  text("characters of three octets", "字"),
  text("characters of four octets", "🜁"),
  text("octets that are no UTF-8", Buffer.from([0xff])),
  // U+3C3C: no octet of it is NUL, which is not taken.
  text("UTF-16", "<<", "utf-16le"),
  text("UTF-7", "+ADw-", "utf-7"),
  text("escapes of ISO-2022-JP", "\u001b$B!!\u001b(B", "iso-2022-jp"),
  text("quoted lines", "> > > > >\r\n"),
  text("greater-than signs", ">"),
  text("lines that introduce quotations", quotedReply),
  text("lines that look like headers", "From: x\r\nTo: y\r\nSubject: z\r\n"),
  text("marks of signatures", "-- \r\n"),
  // As DATA has it: each dot is an escape for the next.
  text("lines that begin with a dot", "..\r\n"),
  text("blanks before line ends", `${"\t ".repeat(40)}\r\n`),
  body("flowed lines", { type: "text/plain; format=flowed; delsp=yes", unit: "a \r\n" }),
  text("uuencoded files without an end", "begin 644 a\r\nM\r\n"),
  encoded("equals signs", "quoted-printable", "="),
  encoded("escapes", "quoted-printable", "=3C"),
  encoded("soft line breaks", "quoted-printable", "=\r\n"),
  encoded("spaces in quoted-printable", "quoted-printable", " "),
  encoded("less-than signs in base64", "base64", `${"PDw8".repeat(19)}\r\n`),
  encoded("what is no base64", "base64", "=!\r\n"),
  mixed("lines that are almost boundaries", "--boundarx\r\n"),
  mixed("hyphens", "--\r\n"),
  mixed("boundaries with blanks", `--boundary${" ".repeat(60)}\r\n`),
  mixed("empty parts", part("", "")),
  mixed("parts of HTML", htmlPart),
  mixed("small attachments", part("Content-Type: a/b; name=c", "x")),
  mixed("messages in each other", "--boundary\r\nContent-Type: message/rfc822\r\n\r\n"),
  nested("nested parts", true),
  nested("nested parts without an end", false),
  field("encoded words in a header", "X-Name", "=?utf-8?q?a?=\r\n "),
  field("parameters of a header", "Content-Type", "a/b; n*0*=utf-8''x;\r\n "),
];
