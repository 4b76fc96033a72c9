import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What somebody was made to ask for. */
interface CountedRequest {
  /** The path, without its slash. */
  readonly name: string;
  /** What the browser wanted it as (Fetch Metadata, "sec-fetch-dest"). */
  readonly wantedAs: string | undefined;
  readonly referer: string | undefined;
}

export interface RequestCounter {
  readonly url: string;
  readonly hits: readonly CountedRequest[];
  close(): Promise<void>;
}

/** A server of the test's own that counts who comes, and gives a picture to all of them. */
export async function startRequestCounter(): Promise<RequestCounter> {
  const hits: CountedRequest[] = [];
  const server = createServer((request, response) => {
    const { "sec-fetch-dest": wantedAs, referer } = request.headers;
    hits.push({ name: (request.url ?? "").slice(1), wantedAs: wantedAs?.toString(), referer });
    response.writeHead(200, { "content-type": "image/svg+xml", "cache-control": "no-store" });
    response.end('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
