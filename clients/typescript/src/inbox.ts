import type { AwaitedEmail } from "./email.ts";
import type { EmailQuery, Emails, WaitOptions } from "./emails.ts";
import { ContentError } from "./errors.ts";

type InboxQuery = Omit<EmailQuery, "address" | "addressId">;

/** An inbox of its own within a proxy address: the address with a tag. It costs no quota, and needs no removal. */
export class Inbox {
  readonly #emails: Pick<Emails, "next">;
  /** What to sign up with. */
  readonly address: string;

  constructor(emails: Pick<Emails, "next">, address: string) {
    this.#emails = emails;
    this.address = address;
  }

  /** Waits for the next email here. @throws NoEmailError, ApiError, ConnectionError */
  next(query: InboxQuery & WaitOptions = {}): Promise<AwaitedEmail> {
    const { timeoutMs, signal, ...which } = query;
    return this.#emails.next({ ...which, address: this.address }, { timeoutMs, signal });
  }

  /** Waits for the next email, and gives the likeliest one-time code in it. @throws ContentError when it holds none; as `next` */
  async code(query: InboxQuery & WaitOptions = {}): Promise<string> {
    const email = await this.next(query);
    const [code] = email.codes;
    if (code === undefined) throw new ContentError(`The email ${JSON.stringify(email.subject)} holds no code.`);
    return code;
  }

  /**
   * Waits for the next email, and gives the first link in it; with `matching`, the first that holds or matches it.
   * @throws ContentError when it holds none; as `next`
   */
  async link({
    matching,
    ...query
  }: InboxQuery & WaitOptions & { matching?: string | RegExp | undefined } = {}): Promise<string> {
    const email = await this.next(query);
    const isWanted = (link: string) =>
      matching === undefined || (typeof matching === "string" ? link.includes(matching) : matching.test(link));
    const link = email.links.find(isWanted);
    if (link === undefined) throw new ContentError(`The email ${JSON.stringify(email.subject)} holds no such link.`);
    return link;
  }
}

/** `name@domain` with a tag: `name+tag@domain`. */
export function tagged(address: string, tag: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}+${tag}${address.slice(at)}`;
}
