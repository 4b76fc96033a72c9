import type { SignedOutTexts } from "../texts/english/signed-out.ts";

/** What the graph says of a failure: a sentence for the person, a kind for the program. */
export class GraphRefusal extends Error {
  /** REST's `exception`, such as `AddressTaken`; `Unreachable` where no answer came, `ServerFailed` where only a status did. */
  readonly kind: string;
  /** The top-level field that failed. */
  readonly field: string | undefined;
  /** The argument, or the member of an input, that is wrong: `realAddresses[1]`. The message is then about it, without its name. */
  readonly member: string | undefined;

  constructor(message: string, kind: string, { field, member }: Place = {}) {
    super(member === undefined ? message : withoutName(message, member));
    this.kind = kind;
    this.field = field;
    this.member = member;
  }
}

/** Where a failure happened. */
interface Place {
  field?: string | undefined;
  member?: string | undefined;
}

/** A sentence that begins with the member's name, as programs get it, for who sees it beside the field. */
function withoutName(message: string, member: string): string {
  const name = `${member}: `;
  if (!message.startsWith(name)) return message;
  const fault = message.slice(name.length);
  // What begins with a value that was given, such as an address, stays as it is.
  return /^[a-z]+[ ,]/.test(fault) ? fault.charAt(0).toUpperCase() + fault.slice(1) : fault;
}

/** What a person is told of any failure: our own words for its kind, or the server's. */
export function sentenceOf(error: unknown, { byKind, unforeseen, notDone }: SignedOutTexts["errors"]): string {
  if (isRefusal(error, "Unreachable") && !navigator.onLine) return notDone;
  if (!(error instanceof GraphRefusal)) return unforeseen;
  const own = byKind[error.kind] ?? error.message;
  return typeof own === "string" ? own : own(error.message);
}

/** Whether it may be there later: a service that is down, a server that fails or does not answer. */
export function isOutage(error: unknown): boolean {
  return isRefusal(error, "Unreachable", "ServerFailed", "Unavailable");
}

export function isRefusal(error: unknown, ...kinds: string[]): error is GraphRefusal {
  return error instanceof GraphRefusal && kinds.includes(error.kind);
}
