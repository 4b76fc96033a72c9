import { setImmediate as nextTurn } from "node:timers/promises";

/** Read in one turn of the event loop: some milliseconds. */
export const turnCharacters = 64 * 1024;
/** Longer than an address; a piece begins so far before the one before it ends, and at a blank where there is one. */
const overlapCharacters = 2 * 1024;

/**
 * A text changed piece by piece, with turns for other work between.
 * @param beginning what is changed begins with it, and has it nowhere else in it; global
 */
export async function changedInTurns(
  text: string,
  beginning: RegExp,
  change: (piece: string) => string,
): Promise<string> {
  if (text.length <= turnCharacters) return change(text);
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    beginning.lastIndex = from + turnCharacters;
    const to = beginning.exec(text)?.index ?? text.length;
    pieces.push(change(text.slice(from, to)));
    from = to;
    await nextTurn();
  }
  return pieces.join("");
}

/** Whether a piece of a text is such, with turns for other work between. */
export async function isAnyPiece(text: string, isSuch: (piece: string) => boolean): Promise<boolean> {
  for (let from = 0; ; ) {
    const to = from + turnCharacters;
    if (isSuch(text.slice(from, to))) return true;
    if (to >= text.length) return false;
    const blank = text.lastIndexOf(" ", to - overlapCharacters);
    from = blank > from + turnCharacters / 2 ? blank : to - overlapCharacters;
    await nextTurn();
  }
}

/** A text in pieces as long as are read in one turn, with turns for other work between. No character is parted. */
export async function* inTurns(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; ) {
    if (from > 0) await nextTurn();
    const end = from + turnCharacters;
    const to = /[\udc00-\udfff]/.test(text.charAt(end)) ? end + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}
