import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface ReceivedCallback {
  headers: IncomingHttpHeaders;
  method: string;
  body: Record<string, unknown>;
  /** What it was answered with. */
  status: number;
}

export interface CallbackTarget {
  readonly url: string;
  readonly received: readonly ReceivedCallback[];
  /** What the next calls are answered with, in turn; 200 after the last. */
  answerWith(...statuses: number[]): void;
  /** Counts anew. */
  forget(): void;
  close(): Promise<void>;
}

/** An HTTP server of the test's own that callbacks are sent to. */
export async function callbackTarget(): Promise<CallbackTarget> {
  const received: ReceivedCallback[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Record<string, unknown>;
    const status = statuses.shift() ?? 200;
    received.push({
      headers: request.headers,
      method: request.method ?? "",
      body,
      status,
    });
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith: (...next) => void statuses.push(...next),
    forget: () => {
      received.length = 0;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
