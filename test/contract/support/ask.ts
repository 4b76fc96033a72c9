import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { expectDeclared } from "./declared.ts";
import { contractInstallation } from "./installation.ts";

export interface Question {
  method: string;
  /** As it stands in the request line: nothing is normalised or encoded. */
  path: string;
  /** Sent exactly so, names in the case given; nothing is added but Host, and the framing of a body. */
  headers?: Readonly<Record<string, string>>;
  /** A string or bytes go as they are, anything else as JSON. */
  body?: unknown;
  /** A loopback address to ask from: what a client has in flight is limited, and files of tests run side by side. */
  from?: string;
}

/** JSON from outside, looked into by tests. */
export interface Json {
  readonly [member: string]: Json | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The JSON document; empty where the answer is none. */
  body: Json;
}

/** Puts a question to an installation as it stands. Every answer must be one that /openapi.json declares for it. */
export async function ask(question: Question): Promise<Answer> {
  const { url } = await contractInstallation();
  const answer = await askAt(url, question);
  await expectDeclared(url, question, answer);
  return answer;
}

/** The same of any installation, and without a look at its documents. */
export async function askAt(baseUrl: string, { method, path, headers = {}, body, from }: Question): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  const bytes = body === undefined ? undefined : bytesOf(body);
  const framing = bytes === undefined || isFramed(headers) ? {} : { "content-length": String(bytes.length) };
  return new Promise((resolve, reject) => {
    const origin = from === undefined ? {} : { localAddress: from };
    const options = { hostname, port, method, path, headers: { ...headers, ...framing }, ...origin, agent: false };
    const request = httpRequest(options);
    request.setTimeout(30_000, () => request.destroy(new Error(`${method} ${path} was not answered within 30 s`)));
    request.once("error", reject).once("response", (response) => {
      text(response)
        .then((content) => {
          const { statusCode: status = 0, headers: answered } = response;
          const isJson = answered["content-type"]?.startsWith("application/json") && content !== "";
          resolve({ status, headers: answered, text: content, body: isJson ? JSON.parse(content) : {} });
        })
        .catch(reject);
    });
    request.end(bytes);
  });
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function isFramed(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
}
