/** What a REST call answered. */
export interface RestAnswer {
  status: number;
  headers: Headers;
  /** The JSON document, or undefined where there is none. */
  body: Document | undefined;
  text: string;
}

/** JSON from outside, looked into by tests. */
export type Document = { [member: string]: Document } & Document[] & string & number & boolean;

export interface RestClient {
  readonly token: string;
  readonly bearer: string;
  get(path: string, headers?: Record<string, string>): Promise<RestAnswer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RestAnswer>;
}

/** One call, with nothing added to it. A string or a Buffer goes as it is, anything else as JSON. */
export async function call(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  const isRaw = typeof body === "string" || Buffer.isBuffer(body) || body === undefined;
  const answer = await fetch(url, {
    method,
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: isRaw ? (body as string | Buffer<ArrayBuffer> | undefined) : JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
    text,
  };
}

/** Signs in as the contract says: credentials for a bearer token, that for an API token. */
export async function restClient(
  url: string,
  { username, password }: { username: string; password: string },
): Promise<RestClient> {
  const attributes = { username, password };
  const signedIn = await call(`${url}/api/v1/auth`, "POST", { data: { type: "auth-request", attributes } });
  if (signedIn.status !== 200) throw new Error(`signing in answered ${signedIn.status}: ${signedIn.text}`);
  const bearer = String(signedIn.body?.["data"]?.["attributes"]?.["token"]);
  const shown = await call(`${url}/api/v1/api-token`, "GET", undefined, { authorization: `Bearer ${bearer}` });
  const token = String(shown.body?.["token"]);
  return {
    token,
    bearer,
    get: (path, headers = {}) => call(`${url}${path}`, "GET", undefined, { token, ...headers }),
    send: (method, path, body, headers = {}) => call(`${url}${path}`, method, body, { token, ...headers }),
  };
}
