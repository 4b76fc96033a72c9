import { Tokenizer } from "htmlparser2";
import { inTurns } from "./pieces.ts";

export type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

const ignore = (): void => undefined;
const ignoring: Callbacks = {
  ...{ onattribdata: ignore, onattribend: ignore, onattribentity: ignore, onattribname: ignore },
  ...{ oncdata: ignore, onclosetag: ignore, oncomment: ignore, ondeclaration: ignore, onend: ignore },
  ...{ onopentagend: ignore, onopentagname: ignore, onprocessinginstruction: ignore, onselfclosingtag: ignore },
  ...{ ontext: ignore, ontextentity: ignore },
};

/**
 * Reads HTML as browsers do, or XML, in one pass, with character references decoded, and with turns of the event loop for other work. A
 * long text comes in several pieces.
 */
export async function readTokensInTurns(
  markup: string,
  language: "html" | "xml",
  callbacks: Partial<Callbacks>,
): Promise<void> {
  const options = { xmlMode: language === "xml", decodeEntities: true };
  const tokenizer = new Tokenizer(options, { ...ignoring, ...callbacks });
  for await (const piece of inTurns(markup)) tokenizer.write(piece);
  tokenizer.end();
}
