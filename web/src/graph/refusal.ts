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

const unforeseen = "Something went wrong. Try again in a moment.";

/** What a person is told of any failure. */
export function sentenceOf(error: unknown): string {
  return error instanceof GraphRefusal ? error.message : unforeseen;
}

export function isRefusal(error: unknown, ...kinds: string[]): error is GraphRefusal {
  return error instanceof GraphRefusal && kinds.includes(error.kind);
}
