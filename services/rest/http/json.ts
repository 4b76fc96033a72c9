import { Refusal } from "../../platform/errors.ts";

const malformed = (operator: string) =>
  new Refusal("MalformedRequest", { public: "The request body is not JSON.", operator });

/**
 * The JSON value (RFC 8259) that a body is.
 * @throws Refusal MalformedRequest when it is none, ValidationFailed when its member names leave room for doubt.
 */
export function parseJson(body: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the body, which may hold a password: it is neither sent nor logged.
    throw malformed("neither UTF-8 nor JSON");
  }
  const fault = memberFault(text);
  if (fault !== undefined) throw new Refusal("ValidationFailed", { public: fault });
  return value;
}

/** What is open around a place in the text: for an object the names met so far, for an array undefined. */
type Open = (Set<string> | undefined)[];

/**
 * What is wrong with the member names of a JSON text, as a sentence; undefined where nothing is. A name that is there twice in
 * one object: readers differ in which of the two they take. `__proto__`: a program may take it for the object's prototype, or
 * leave it out. The text must be valid JSON. Takes no recursion, so that depth costs nothing.
 * Exported for tests.
 */
export function memberFault(text: string): string | undefined {
  const open: Open = [];
  let isName = false;
  for (const sign of tokensOf(text)) {
    follow(open, sign);
    const names = open.at(-1);
    if (isName && names && sign.startsWith('"')) {
      const name: string = JSON.parse(sign);
      if (name === "__proto__") return 'A member cannot be named "__proto__".';
      if (names.has(name))
        return `The member ${JSON.stringify(name.slice(0, 100))} is there more than once in one object.`;
      names.add(name);
    }
    isName = (sign === "{" || sign === ",") && names !== undefined;
  }
  return undefined;
}

/**
 * Strings, and signs that open, close or divide. Where a string ends is not left to the expression: its engine keeps a place to go back to for
 * each character, and has no room for millions of them.
 */
function* tokensOf(text: string): Generator<string> {
  const token = /["{}[\],:]/g;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '"') token.lastIndex = endOfString(text, found.index);
    yield text.slice(found.index, token.lastIndex);
  }
}

/** Behind the next quotation mark that an even number of backslashes stands before. */
function endOfString(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
  } while (backslashes % 2 === 1);
  return end + 1;
}

function follow(open: Open, sign: string): void {
  if (sign === "{") open.push(new Set());
  else if (sign === "[") open.push(undefined);
  else if (sign === "}" || sign === "]") open.pop();
}
