import { Agent, request } from "node:https";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { InternalTls } from "../security/internal-tls.ts";

/** As much of fetch as calls between services need. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** fetch by mutual TLS: the runtime's own takes no certificate. Fails as fetch does, with the reason as the cause. */
export function tlsFetch(tls: InternalTls): Fetch {
  const agent = new Agent({ ...tls, keepAlive: true, maxSockets: 256 });
  return (url, init) =>
    new Promise((resolve, reject) => {
      const { method = "GET", signal } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      const outgoing = request(url, { agent, method, headers, signal: signal ?? undefined }, (incoming) => {
        const status = incoming.statusCode ?? 0;
        const body = status === 204 || status === 304 ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
        const received = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve(new Response(body as ConstructorParameters<typeof Response>[0], { status, headers: received }));
      });
      outgoing.on("error", (cause) => reject(new TypeError("fetch failed", { cause })));
      outgoing.end(init.body ?? undefined);
    });
}
