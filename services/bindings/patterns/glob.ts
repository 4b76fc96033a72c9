/** A place in a glob: what it takes, and the places that may come after. */
interface Place {
  /** Undefined takes any character. */
  readonly character: string | undefined;
  readonly next: readonly number[];
}

const accepted = -1;
/** An address has 64 octets before its @. */
export const maxGlobCharacters = 64;

/**
 * A pattern for local parts: `*` any characters, `?` one, `{a,b}` one of several texts. All places that a text may have reached are
 * followed at once, so that matching takes time in proportion to its length, whatever the pattern.
 */
export class Glob {
  readonly #places: Place[] = [];
  readonly #first: readonly number[];

  /** @param text in lower case. @throws SyntaxError for braces that are not closed, not opened, or nested */
  constructor(text: string) {
    this.#first = tokensOf(text).reduceRight<readonly number[]>((after, token) => this.#add(token, after), [accepted]);
  }

  matches(text: string): boolean {
    let reached = new Set(this.#first);
    for (const character of text) {
      const next = new Set<number>();
      for (const at of reached) {
        const place = this.#places[at];
        if (!place || (place.character !== undefined && place.character !== character)) continue;
        for (const following of place.next) next.add(following);
      }
      reached = next;
    }
    return reached.has(accepted);
  }

  /** @returns where a text may begin that takes the token and what comes after it */
  #add(token: string, after: readonly number[]): readonly number[] {
    if (token === "*") {
      const at = this.#places.length;
      this.#places.push({ character: undefined, next: [at, ...after] });
      return [at, ...after];
    }
    if (token === "?") return this.#place(undefined, after);
    if (!token.startsWith("{")) return this.#place(token, after);
    const words = token.slice(1, -1).split(",");
    const beginnings = words.flatMap((word) =>
      [...word].reduceRight<readonly number[]>((rest, character) => this.#place(character, rest), after),
    );
    return [...new Set(beginnings)];
  }

  #place(character: string | undefined, next: readonly number[]): readonly number[] {
    this.#places.push({ character, next });
    return [this.#places.length - 1];
  }
}

/** Characters, and alternatives with their braces. */
function tokensOf(text: string): string[] {
  const tokens = text.match(/\{[^{}]*\}|[^{}]/gu) ?? [];
  if (tokens.join("") !== text) throw new SyntaxError("has braces that are not closed, not opened, or nested");
  // Several in a row take what one does, and each would be a place that leads to all after it.
  return tokens.filter((token, at) => token !== "*" || tokens[at - 1] !== "*");
}
