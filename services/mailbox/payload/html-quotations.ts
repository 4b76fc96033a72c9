import { walkHtml } from "./html-walk.ts";
import type { StepBudget } from "./step-budget.ts";

type Attributes = Readonly<Record<string, string>>;

interface OpenElement {
  /** Its offset, if the whole element is a quotation or signature. */
  readonly start: number | undefined;
  /** The offset in it after which all is quotation. */
  quotedFrom: number | undefined;
}

const quotationClasses =
  /\b(?:gmail_quote|gmail_quote_container|yahoo_quoted|moz-cite-prefix|protonmail_quote|zmail_extra|tutanota_quote)\b/;
const signatureClasses = /\b(?:gmail_signature|gmail_signature_prefix|moz-signature|protonmail_signature_block)\b/;
/** Outlook marks the beginning of the quotation only. */
const quotationStarts = /^(?:divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|stopSpelling|x_divRplyFwdMsg)$/;
const outlookBorder = /border:\s*none;\s*border-top:\s*solid #(?:E1E1E1|B5C4DF)/i;
const forwarded = /(?<!-)-{5,}\s*(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado)/i;

/** Removes quotations and signature from an HTML reply; the rest stays unchanged. Where the budget is spent it all stays. */
export function stripHtml(html: string, budget: StepBudget): string {
  const finder = new QuotationFinder(html, budget);
  return finder.rest();
}

class QuotationFinder {
  readonly #html: string;
  readonly #open: OpenElement[] = [{ start: undefined, quotedFrom: undefined }];
  /** Ranges to remove, sorted and not overlapping. */
  readonly #quotations: { start: number; end: number }[] = [];

  constructor(html: string, budget: StepBudget) {
    this.#html = html;
    walkHtml(html, budget, (parser) => ({
      onopentag: (name, attributes) => this.#enter(name, attributes, parser().startIndex),
      onclosetag: (_name, isImplied) =>
        this.#leave(parser().startIndex, isImplied ? parser().startIndex : parser().endIndex + 1),
    }));
    const quotedFrom = this.#open[0]?.quotedFrom;
    if (quotedFrom !== undefined) this.#exclude(quotedFrom, html.length);
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
    if (element?.start !== undefined) this.#exclude(element.start, end);
    else if (element?.quotedFrom !== undefined) this.#exclude(element.quotedFrom, start);
  }

  #exclude(start: number, end: number): void {
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
