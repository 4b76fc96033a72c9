import { Tokenizer } from "htmlparser2";

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
  const tokenizer = new Tokenizer({ xmlMode: language === "xml", decodeEntities: true }, { ...ignoring, ...callbacks });
  tokenizer.write(markup);
  tokenizer.end();
}
