// Lists of mailboxes and groups: RFC 5322 section 3.4, obsolete forms of section 4.4.

import { type Token, tokenize } from "./tokens.ts";

export interface Mailbox {
  /** The phrase before it, or the comment behind it; its encoded-words as they stand. "" if there is none. */
  readonly displayName: string;
  /** Without quotes and comments. */
  readonly localPart: string;
  /** Without comments, as it is spelled. */
  readonly domain: string;
}

export interface Group {
  readonly displayName: string;
  readonly members: readonly Mailbox[];
}

interface AddressList {
  readonly entries: readonly (Mailbox | Group)[];
  /** All of them, those of groups as well. */
  readonly mailboxes: readonly Mailbox[];
  /**
   * Whether it keeps to the grammar, obsolete forms included. If not, `mailboxes` has everything in it that another reader may
   * take for an address, and more.
   */
  readonly isWellFormed: boolean;
  /** What was looked at: characters and tokens. */
  readonly steps: number;
}

/** Reads the unfolded body of From, To, Reply-To and the like. Never fails; takes a time that goes with the length of the body. */
export function parseAddressList(body: string): AddressList {
  const { tokens, isWellFormed, steps } = tokenize(body);
  const parser = new AddressListParser(isWellFormed);
  for (const token of tokens) parser.handleToken(token);
  return parser.finish(steps);
}

/** What is being read: before any "@", a domain, what may follow a mailbox, or the route of section 4.4. */
type State = "words" | "domain" | "after" | "route";

class AddressListParser {
  readonly #entries: (Mailbox | Group)[] = [];
  readonly #mailboxes: Mailbox[] = [];
  #isWellFormed: boolean;
  #steps = 0;
  #state: State = "words";
  #group: { displayName: string; members: Mailbox[] } | undefined;
  /** The words before "<"; undefined outside of angle brackets. */
  #phrase: string | undefined;
  #words: Token[] = [];
  #domain: Token[] = [];
  #comment = "";

  constructor(isWellFormed: boolean) {
    this.#isWellFormed = isWellFormed;
  }

  handleToken(token: Token): void {
    this.#steps += 1;
    if (token.kind === "comment") this.#comment = token.text;
    else if (this.#state === "route") this.#takeRoute(token);
    else if (token.kind !== "special" || token.text === ".") this.#takeWord(token);
    else this.#takeSpecial(token.text);
  }

  finish(tokenSteps: number): AddressList {
    this.#endElement();
    if (this.#group) this.#isWellFormed = false;
    this.#endGroup();
    return {
      entries: this.#entries,
      mailboxes: this.#mailboxes,
      isWellFormed: this.#isWellFormed && this.#mailboxes.every(isComplete),
      steps: this.#steps + tokenSteps,
    };
  }

  #takeWord(token: Token): void {
    if (this.#state === "domain" && this.#continuesDomain(token)) {
      this.#domain.push(token);
      return;
    }
    if (this.#state === "domain") this.#endMailbox();
    if (this.#state === "after" || token.kind === "domain-literal") this.#isWellFormed = false;
    this.#state = "words";
    this.#words.push(token);
  }

  #continuesDomain(token: Token): boolean {
    const last = this.#domain.at(-1);
    if (token.kind === "domain-literal") return last === undefined;
    if (token.kind === "quoted-string" || last?.kind === "domain-literal") return false;
    return last === undefined || isDot(token) !== isDot(last);
  }

  #takeSpecial(character: string): void {
    if (character === "@") this.#startDomain();
    else if (character === "<") this.#openAngle();
    else if (character === ">") this.#closeAngle();
    else if (character === ",") this.#endElement();
    else if (character === ":") this.#startGroup();
    else if (character === ";") this.#closeGroup();
    else this.#isWellFormed = false;
  }

  #closeGroup(): void {
    if (!this.#group) this.#isWellFormed = false;
    this.#endElement();
    this.#endGroup();
  }

  #startDomain(): void {
    if (this.#state === "words" && this.#words.length === 0 && this.#phrase !== undefined) {
      this.#state = "route";
      return;
    }
    // A second "@": what came before it may be a local part for others.
    if (this.#state === "domain") {
      const { localPart, domain } = this.#endMailbox();
      this.#words = [{ kind: "quoted-string", text: `${localPart}@${domain}`, isSpaced: false }];
      this.#isWellFormed = false;
    } else if (this.#state === "after") this.#isWellFormed = false;
    this.#state = "domain";
  }

  /** `@one.example,@two.example:` before an address says nothing (section 4.4). Without its colon it is none. */
  #takeRoute(token: Token): void {
    if (token.kind !== "special") return;
    if (token.text === ":") this.#state = "words";
    else if (!"@,.".includes(token.text)) {
      this.#isWellFormed = false;
      this.#state = "words";
      this.#takeSpecial(token.text);
    }
  }

  #openAngle(): void {
    if (this.#phrase !== undefined || this.#state !== "words") this.#isWellFormed = false;
    if (this.#state === "domain") this.#endMailbox();
    this.#phrase = textOf(this.#words);
    this.#words = [];
    this.#state = "words";
  }

  #closeAngle(): void {
    if (this.#phrase === undefined || this.#state !== "domain") this.#isWellFormed = false;
    if (this.#state === "domain") this.#endMailbox();
    else if (this.#words.length > 0) this.#addMailbox(this.#words, "");
    this.#words = [];
    this.#phrase = undefined;
    this.#state = "after";
  }

  #startGroup(): void {
    if (this.#group || this.#state !== "words" || this.#phrase !== undefined || this.#words.length === 0)
      this.#isWellFormed = false;
    if (this.#state === "domain") this.#endMailbox();
    this.#endGroup();
    this.#group = { displayName: textOf(this.#words), members: [] };
    this.#words = [];
    this.#comment = "";
    this.#state = "words";
  }

  #endGroup(): void {
    if (this.#group) this.#entries.push(this.#group);
    this.#group = undefined;
  }

  #endElement(): void {
    if (this.#phrase !== undefined) this.#isWellFormed = false;
    if (this.#state === "domain") this.#endMailbox();
    // A phrase without an address. Nothing at all between two commas is an obsolete form that says nothing.
    else if (this.#words.length > 0 || this.#phrase) {
      const displayName = [this.#phrase, textOf(this.#words)].filter(Boolean).join(" ");
      this.#add({ displayName, localPart: "", domain: "" });
    }
    this.#words = [];
    this.#phrase = undefined;
    this.#comment = "";
    this.#state = "words";
  }

  #endMailbox(): Mailbox {
    const mailbox = this.#addMailbox(this.#words, textOf(this.#domain, ""));
    this.#words = [];
    this.#domain = [];
    this.#state = "after";
    return mailbox;
  }

  /** Of words that are not joined by dots only the last are the local part. */
  #addMailbox(words: readonly Token[], domain: string): Mailbox {
    let from = words.length - 1;
    while (from > 0 && isDot(words[from]) !== isDot(words[from - 1])) from -= 1;
    const before = words.slice(0, Math.max(0, from));
    if (before.length > 0) this.#isWellFormed = false;
    const phrase = this.#phrase || textOf(before) || this.#comment;
    return this.#add({ displayName: phrase, localPart: textOf(words.slice(before.length), ""), domain });
  }

  #add(mailbox: Mailbox): Mailbox {
    this.#mailboxes.push(mailbox);
    (this.#group?.members ?? this.#entries).push(mailbox);
    return mailbox;
  }
}

function isDot(token: Token | undefined): boolean {
  return token?.kind === "special" && token.text === ".";
}

function isComplete({ localPart, domain }: Mailbox): boolean {
  return localPart !== "" && domain !== "" && !domain.endsWith(".") && !domain.startsWith(".");
}

function textOf(words: readonly Token[], space = " "): string {
  return words.map(({ text, isSpaced }, at) => (isSpaced && at > 0 ? space + text : text)).join("");
}
