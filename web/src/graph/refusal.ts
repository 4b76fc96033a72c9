import type { SignedOutTexts } from "../texts/english/signed-out.ts";

/** What the graph says of a failure: a sentence for the person, a kind for the program. */
export class GraphRefusal extends Error {
  /** REST's `exception`, such as `AddressTaken`; `Unreachable` where no answer came. */
  readonly kind: string;
  /** The top-level field that failed. */
  readonly field: string | undefined;

  constructor(message: string, kind: string, field?: string) {
    super(message);
    this.kind = kind;
    this.field = field;
  }
}

/** What a person is told of any failure: our own words for its kind, or the server's. */
export function sentenceOf(error: unknown, { byKind, unforeseen, notDone }: SignedOutTexts["errors"]): string {
  if (isRefusal(error, "Unreachable") && !navigator.onLine) return notDone;
  return error instanceof GraphRefusal ? (byKind[error.kind] ?? error.message) : unforeseen;
}

export function isRefusal(error: unknown, ...kinds: string[]): error is GraphRefusal {
  return error instanceof GraphRefusal && kinds.includes(error.kind);
}
