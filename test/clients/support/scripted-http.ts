import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Scripted {
  status: number;
  body?: unknown;
  /** In place of a body in JSON. */
  text?: string;
  headers?: Readonly<Record<string, string>>;
}

/** What a request is answered with: in turn; undefined hangs up, "silence" never answers. */
export type Turn = Scripted | "silence" | undefined;

export interface ScriptedHttp {
  url: string;
  /** What came, in order. */
  requests: { method: string; path: string; headers: NodeJS.Dict<string | string[]>; body: string }[];
  close(): Promise<void>;
}

/** An HTTP server that answers as told, the last turn for all that follow. */
export async function scriptedHttp(...turns: [Turn, ...Turn[]]): Promise<ScriptedHttp> {
  const requests: ScriptedHttp["requests"] = [];
  const server = createServer(async (request, response) => {
    const turn = turns[Math.min(requests.length, turns.length - 1)];
    const { method = "", url: path = "", headers } = request;
    const entry = { method, path, headers, body: "" };
    requests.push(entry);
    for await (const part of request) entry.body += part;
    if (turn === "silence") return;
    if (!turn) return void request.socket.destroy();
    const text = turn.text ?? (turn.body === undefined ? "" : JSON.stringify(turn.body));
    response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
