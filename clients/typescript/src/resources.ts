import { NotFoundError } from "./errors.ts";
import type { CreateApiKeyInput, GraphOperations } from "./gen/graph.ts";
import type { Domain, NewMessage, PatternOutput as Pattern, RestOperations } from "./gen/rest.ts";
import { pages } from "./pages.ts";
import { randomUuid } from "./pause.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** A message to be sent: `from` is a proxy address of yours. */
export type Message = RestOperations["sendMessage"]["body"];
export type { Domain, NewMessage, Pattern };

/** Mail from proxy addresses. */
export class Messages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Sends it once, however often the connection breaks off. Scope: mail:send.
   * @param options.idempotencyKey the same one within 7 days sends nothing again; one is made up unless given
   * @returns the id of the email, whose timeline says what became of it
   * @throws ForbiddenError of kind SendingNotAllowed; ApiError, ConnectionError
   */
  async send(
    message: Message,
    { idempotencyKey = randomUuid(), ...options }: CallOptions & { idempotencyKey?: string | undefined } = {},
  ): Promise<{ id: string }> {
    const headers = { "idempotency-key": idempotencyKey };
    const { data } = await this.#transport.rest(
      "sendMessage",
      { body: message },
      { ...options, headers, isRepeatable: true },
    );
    return data;
  }
}

type ContactPayload = GraphOperations["createContact"]["data"]["createContact"];
/** Somebody outside, as one proxy address knows them. */
export type Contact = NonNullable<ContactPayload>["contact"];

/** Whom proxy addresses know. */
export class Contacts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Those of an address, the last seen first. Scope: alias:read. */
  list(
    addressId: string,
    { search, ...options }: { search?: string | undefined } & CallOptions = {},
  ): AsyncIterableIterator<Contact> {
    return pages(async (after) => {
      const asked = { address: addressId, first: 100, after, search };
      return (await this.#transport.graph("listContacts", asked, options)).proxyBinding?.contacts;
    });
  }

  /** Makes a contact, or gives the one that is there. Write to its `reverseAddress`. Scope: alias:write. @throws ApiError */
  async create(
    addressId: string,
    address: string,
    { name, ...options }: { name?: string | undefined } & CallOptions = {},
  ): Promise<Contact> {
    const variables = { bindingId: addressId, address, name };
    const { createContact } = await this.#transport.graph("createContact", variables, {
      ...options,
      isRepeatable: true,
    });
    return there(createContact).contact;
  }

  /** Names or blocks a contact: mail from a blocked one is refused. Scope: alias:write. @throws ApiError */
  async update(
    id: string,
    change: { name?: string | undefined; isBlocked?: boolean | undefined },
    options?: CallOptions,
  ): Promise<Contact> {
    const { updateContact } = await this.#transport.graph(
      "updateContact",
      { id, ...change },
      { ...options, isRepeatable: true },
    );
    return there(updateContact).contact;
  }

  /** Its reverse address leads nowhere from then on. Scope: alias:write. @throws NotFoundError */
  async remove(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.graph("removeContact", { id }, options);
  }
}

/** Domains of one's own. */
export class Domains {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them with their DNS records. Scope: alias:read. */
  async list(options?: CallOptions): Promise<Domain[]> {
    return (await this.#transport.rest("listDomains", {}, options)).data;
  }

  /** Adds a domain; one that is there already is given as it is. Publish its `records`. Scope: admin. @throws ApiError */
  async add(name: string, options?: CallOptions): Promise<Domain> {
    return (await this.#transport.rest("addDomain", { body: { name } }, { ...options, isRepeatable: true })).data;
  }

  /** Scope: alias:read. @throws NotFoundError */
  async get(id: string, options?: CallOptions): Promise<Domain> {
    return (await this.#transport.rest("showDomain", { path: { id } }, options)).data;
  }

  /** Looks at its DNS records now, 20 times an hour. Scope: admin. @throws ConflictError where another account has proved it */
  async check(id: string, options?: CallOptions): Promise<Domain> {
    return (await this.#transport.rest("checkDomain", { path: { id } }, options)).data;
  }

  /** Its addresses take no mail any more. Scope: admin. @throws NotFoundError */
  async remove(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.rest("removeDomain", { path: { id } }, options);
  }

  /** What takes mail to addresses that nobody made. Scope: alias:read. @throws NotFoundError */
  async patterns(id: string, options?: CallOptions): Promise<Pattern[]> {
    return (await this.#transport.rest("listPatterns", { path: { id } }, options)).data;
  }

  /** They become exactly those given, in their order. Scope: admin. @throws NotFoundError, InvalidRequestError */
  async setPatterns(
    id: string,
    patterns: RestOperations["setPatterns"]["body"]["patterns"],
    options?: CallOptions,
  ): Promise<Pattern[]> {
    return (await this.#transport.rest("setPatterns", { path: { id }, body: { patterns } }, options)).data;
  }
}

/** An API key, without what it consists of. */
export type ApiKey = NonNullable<GraphOperations["listKeys"]["data"]["apiKeys"]>[number];

/** API keys. They take a bearer token, as `Postern.signIn` gets it, within 10 minutes after the sign-in. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options?: CallOptions): Promise<ApiKey[]> {
    return (await this.#transport.graph("listKeys", {}, options)).apiKeys ?? [];
  }

  /** Makes a key. `key` is shown this once. @throws ForbiddenError of kind FreshProofRequired, InvalidRequestError */
  async create(input: CreateApiKeyInput, options?: CallOptions): Promise<ApiKey & { key: string }> {
    const { key, apiKey } = there((await this.#transport.graph("createKey", { input }, options)).createApiKey);
    return { ...apiKey, key };
  }

  /** It is worth nothing from then on. @throws NotFoundError */
  async revoke(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.graph("revokeKey", { id }, options);
  }
}

/** The graph's root fields may be null, but only beside an error. */
function there<T>(payload: T | null | undefined): T {
  if (payload == null) throw new NotFoundError({ status: 404, kind: "NotFound", message: "It is not there." });
  return payload;
}
