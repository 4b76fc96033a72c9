import { walkHtml } from "./html-walk.ts";

type Attributes = Readonly<Record<string, string>>;

interface OpenElement {
  /** Where it began, if it is to go as a whole. */
  readonly start: number | undefined;
  /** Where something began in it after which all is quotation. */
  quotedFrom: number | undefined;
}

const quotationClasses =
  /\b(?:gmail_quote|gmail_quote_container|yahoo_quoted|moz-cite-prefix|protonmail_quote|zmail_extra|tutanota_quote)\b/;
const signatureClasses = /\b(?:gmail_signature|gmail_signature_prefix|moz-signature|protonmail_signature_block)\b/;
/** Outlook marks only where the quotation begins. */
const quotationStarts = /^(?:divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|stopSpelling|x_divRplyFwdMsg)$/;
const outlookBorder = /border:\s*none;\s*border-top:\s*solid #(?:E1E1E1|B5C4DF)/i;
const forwarded = /-{5,}\s*(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado)/i;

/** Takes quotations and signature out of an HTML reply, and leaves the rest as it is, byte by byte. */
export function stripHtml(html: string): string {
  const finder = new QuotationFinder(html);
  return finder.rest();
}

class QuotationFinder {
  readonly #html: string;
  readonly #open: OpenElement[] = [{ start: undefined, quotedFrom: undefined }];
  /** What goes: neither nested nor out of order. */
  readonly #quotations: { start: number; end: number }[] = [];

  constructor(html: string) {
    this.#html = html;
    walkHtml(html, (parser) => ({
      onopentag: (name, attributes) => this.#enter(name, attributes, parser().startIndex),
      onclosetag: (_name, isImplied) =>
        this.#leave(parser().startIndex, isImplied ? parser().startIndex : parser().endIndex + 1),
    }));
    const quotedFrom = this.#open[0]?.quotedFrom;
    if (quotedFrom !== undefined) this.#take(quotedFrom, html.length);
  }

  rest(): string {
    let rest = "";
    let position = 0;
    for (const { start, end } of this.#quotations) {
      rest += this.#html.slice(position, start);
      position = end;
    }
    return (rest + this.#html.slice(position)).trim();
  }

  #enter(name: string, attributes: Attributes, start: number): void {
    const parent = this.#open.at(-1);
    if (parent && startsQuotation(attributes)) parent.quotedFrom ??= start;
    this.#open.push({ start: isQuotation(name, attributes) ? start : undefined, quotedFrom: undefined });
  }

  #leave(start: number, end: number): void {
    const element = this.#open.length > 1 ? this.#open.pop() : undefined;
    if (element?.start !== undefined) this.#take(element.start, end);
    else if (element?.quotedFrom !== undefined) this.#take(element.quotedFrom, start);
  }

  #take(start: number, end: number): void {
    if (forwarded.test(this.#html.slice(start, Math.min(end, start + 1_000)))) return;
    while ((this.#quotations.at(-1)?.start ?? -1) >= start) this.#quotations.pop();
    if (end > start) this.#quotations.push({ start, end });
  }
}

function isQuotation(name: string, { class: classes = "", type, id = "" }: Attributes): boolean {
  return (
    quotationClasses.test(classes) ||
    signatureClasses.test(classes) ||
    (name === "blockquote" && type === "cite") ||
    /^(?:ms-outlook-mobile-signature|Signature)$/.test(id)
  );
}

function startsQuotation({ id = "", style = "" }: Attributes): boolean {
  return quotationStarts.test(id) || outlookBorder.test(style);
}
