import type { Payload } from "./payload.ts";

const sliceCharacters = 64 * 1024;

/** A payload as JSON in pieces, so that a long one need not be in memory twice. */
export function* payloadJson(payload: Payload): Generator<string> {
  let separator = "{";
  for (const [name, value] of Object.entries(payload)) {
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    if (typeof value === "string" && value.length > sliceCharacters) yield* textJson(value);
    else yield JSON.stringify(value);
  }
  yield "}";
}

function* textJson(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length; ) {
    const to = sliceEnd(text, from);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** Never between the halves of a surrogate pair. */
function sliceEnd(text: string, from: number): number {
  const to = from + sliceCharacters;
  const code = text.charCodeAt(to - 1);
  return code >= 0xd800 && code <= 0xdbff ? to + 1 : to;
}
