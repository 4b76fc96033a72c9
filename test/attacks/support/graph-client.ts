/** What a client of the graph may come with. */
export interface ClientOptions {
  bearer?: string;
  apiToken?: string;
  /** The address that it seems to come from; the installation trusts one proxy. */
  address?: string;
}

type Variables = Readonly<Record<string, unknown>>;

/** JSON from outside, looked into by tests. */
interface Json {
  readonly [member: string]: Json;
}

interface GraphAnswer {
  data: Json;
  /** The kind of its first error; "done" without one. */
  kind: string;
  code: string | undefined;
  message: string | undefined;
}

interface Reply {
  data?: Json | null;
  errors?: { message: string; extensions: { kind: string; code: string } }[];
}

/** Asks an installation's graph over HTTP, as a program or, keeping its cookies, as a browser. */
export class GraphClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #cookies = new Map<string, string>();

  constructor(url: string, { bearer, apiToken, address }: ClientOptions = {}) {
    this.#url = `${url}/graphql`;
    this.#headers = {
      "content-type": "application/json",
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(apiToken === undefined ? {} : { token: apiToken }),
      ...(address === undefined ? {} : { "x-forwarded-for": address }),
    };
  }

  /** The same client at another address. */
  moveTo(address: string): void {
    this.#headers["x-forwarded-for"] = address;
  }

  async ask(query: string, variables: Variables = {}): Promise<GraphAnswer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(this.#url, {
      method: "POST",
      headers: { ...this.#headers, ...(cookie === "" ? {} : { cookie }) },
      body: JSON.stringify({ query, variables }),
    });
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    const { data, errors = [] } = (await response.json()) as Reply;
    const [error] = errors;
    return {
      data: data ?? {},
      kind: error?.extensions.kind ?? "done",
      code: error?.extensions.code,
      message: error?.message,
    };
  }

  /** The kind of its first error; "done" without one. */
  async kindOf(query: string, variables?: Variables): Promise<string> {
    return (await this.ask(query, variables)).kind;
  }

  /** What an answer without errors gives for its one field. @throws Error for any other answer */
  async field(query: string, variables?: Variables): Promise<Json> {
    const { data, kind, message } = await this.ask(query, variables);
    if (kind !== "done") throw new Error(`${kind}: ${message}`);
    return Object.values(data)[0] as Json;
  }

  #keep(setCookie: string): void {
    const [pair = "", ...attributes] = setCookie.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    if (attributes.includes("Max-Age=0")) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(name.length + 1));
  }
}
