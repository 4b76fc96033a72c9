import { Addresses } from "./addresses.ts";
import { Emails } from "./emails.ts";
import { PosternError } from "./errors.ts";
import { type AccountEvent, events } from "./events.ts";
import { Inbox, tagged } from "./inbox.ts";
import { randomUuid } from "./pause.ts";
import { Contacts, Domains, Keys, Messages } from "./resources.ts";
import { type CallOptions, type PosternOptions, Transport } from "./transport.ts";

/** One installation of Postern, with the credentials of one account. */
export class Postern {
  readonly addresses: Addresses;
  readonly emails: Emails;
  readonly messages: Messages;
  readonly contacts: Contacts;
  readonly domains: Domains;
  readonly keys: Keys;
  /** Every operation of /openapi.json and of clients/graph by name, for what has no method here. */
  readonly transport: Transport;

  constructor(options: PosternOptions) {
    this.transport = new Transport(options);
    this.addresses = new Addresses(this.transport);
    this.emails = new Emails(this.transport);
    this.messages = new Messages(this.transport);
    this.contacts = new Contacts(this.transport);
    this.domains = new Domains(this.transport);
    this.keys = new Keys(this.transport);
  }

  /**
   * Every event after a cursor that is known by now, at least once each; without one from the oldest that is kept. Keep the last one's
   * cursor, and go on with it later. Scope: mail:read. @throws ApiError: 410 where events after the cursor are gone
   */
  events(after?: string, options: CallOptions = {}): AsyncIterableIterator<AccountEvent> {
    return events(this.transport, after, options);
  }

  /** From POSTERN_URL and POSTERN_KEY, as in `Postern.fromEnvironment(process.env)`. @throws PosternError naming what is absent */
  static fromEnvironment(
    environment: Readonly<Record<string, string | undefined>>,
    options: Partial<PosternOptions> = {},
  ): Postern {
    const { url = environment["POSTERN_URL"], key = environment["POSTERN_KEY"] } = options;
    const missing = [...(url ? [] : ["POSTERN_URL"]), ...(key ? [] : ["POSTERN_KEY"])];
    if (!url || missing.length > 0) throw new PosternError(`${missing.join(" and ")} must be set.`);
    return new Postern({ ...options, url, key });
  }

  /**
   * A client with a bearer token, which can make API keys.
   * @param credentials.code of the authenticator, where the account has a second factor; without it everything answers
   *   SecondFactorRequired
   * @throws AuthenticationError
   */
  static async signIn(
    { username, password, code }: { username: string; password: string; code?: string | undefined },
    options: Omit<PosternOptions, "key" | "bearer">,
  ): Promise<Postern> {
    const attributes = { username, password };
    const body = { data: { type: "auth-request" as const, attributes } };
    const { data } = await new Transport(options).rest("signIn", { body });
    const bearer = data.attributes.token;
    if (code === undefined) return new Postern({ ...options, bearer });
    const second = { data: { type: "second-factor" as const, attributes: { code } } };
    const granted = await new Transport({ ...options, bearer }).rest("grantSecondFactor", { body: second });
    return new Postern({ ...options, bearer: granted.data.attributes.token });
  }

  /**
   * An inbox of its own within a browsable address.
   * @param tag what tells it from other inboxes of that address; one is made up unless given
   */
  inbox(address: string | { address: string }, tag = randomUuid().slice(0, 13)): Inbox {
    const base = typeof address === "string" ? address : address.address;
    return new Inbox(this.emails, tagged(base, tag));
  }
}
