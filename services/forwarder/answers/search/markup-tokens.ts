import { Tokenizer } from "htmlparser2";
import { inTurns } from "./pieces.ts";

type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

const ignore = (): void => undefined;
const ignoring: Callbacks = {
  ...{ onattribdata: ignore, onattribend: ignore, onattribentity: ignore, onattribname: ignore },
  ...{ oncdata: ignore, onclosetag: ignore, oncomment: ignore, ondeclaration: ignore, onend: ignore },
  ...{ onopentagend: ignore, onopentagname: ignore, onprocessinginstruction: ignore, onselfclosingtag: ignore },
  ...{ ontext: ignore, ontextentity: ignore },
};

/** Reads HTML as browsers do, or XML, in one pass, with character references decoded. */
export function readTokens(markup: string, language: "html" | "xml", callbacks: Partial<Callbacks>): void {
  const tokenizer = tokenizerOf(language, callbacks);
  tokenizer.write(markup);
  tokenizer.end();
}

/** The same, with turns of the event loop for other work. A text may come in several pieces then. */
export async function readTokensInTurns(
  markup: string,
  language: "html" | "xml",
  callbacks: Partial<Callbacks>,
): Promise<void> {
  const tokenizer = tokenizerOf(language, callbacks);
  for await (const piece of inTurns(markup)) tokenizer.write(piece);
  tokenizer.end();
}

function tokenizerOf(language: "html" | "xml", callbacks: Partial<Callbacks>): Tokenizer {
  return new Tokenizer({ xmlMode: language === "xml", decodeEntities: true }, { ...ignoring, ...callbacks });
}
