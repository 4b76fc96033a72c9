/** A server's reply (RFC 5321 section 4.2). */
export interface Reply {
  /** The three digits. */
  readonly code: number;
  /** All of it on one line, the code first, as it is shown to people. */
  readonly text: string;
  /** The text of each line, without its code. */
  readonly lines: readonly string[];
}

/** Whether a reply is as good as an expected one: of a code that was not expected the first digit counts (RFC 5321 section 4.2.1). */
export function isAsGoodAs({ code }: Reply, expected: number): boolean {
  return Math.floor(code / 100) === Math.floor(expected / 100);
}

/** Far above the 512 octets of a reply line (RFC 5321 section 4.5.3.1.5), far below what could hurt. */
const replyLimit = 64 * 1024;

/** Makes replies of what the server sends, however it is cut up. */
export class ReplyReader {
  #rest = "";
  #lines: string[] = [];

  /** What has come of a reply that is not yet complete. */
  get isEmpty(): boolean {
    return this.#rest === "" && this.#lines.length === 0;
  }

  /** @throws Error when this is no SMTP, or a reply without end. */
  push(chunk: string): Reply[] {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    const replies: Reply[] = [];
    for (const line of lines) {
      const reply = this.#readLine(line.replace(/\r$/, ""));
      if (reply) replies.push(reply);
    }
    const heldChars = this.#rest.length + this.#lines.reduce((sum, line) => sum + line.length + 6, 0);
    if (heldChars > replyLimit) throw new Error("a reply without end");
    return replies;
  }

  #readLine(line: string): Reply | undefined {
    const match = /^([2-5]\d\d)([ -]?)(.*)$/.exec(line);
    if (!match) throw new Error(`not an SMTP reply: ${JSON.stringify(line.slice(0, 80))}`);
    const [, code = "", separator, text = ""] = match;
    this.#lines.push(text);
    if (separator === "-") return undefined;
    const reply = { code: Number(code), text: `${code} ${this.#lines.join(" ")}`.trim(), lines: this.#lines };
    this.#lines = [];
    return reply;
  }
}
