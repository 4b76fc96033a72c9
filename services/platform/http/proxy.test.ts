import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "@jest/globals";
import { createLogger } from "../telemetry/logger.ts";
import { proxyTo } from "./proxy.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A proxy before a peer that gives one answer and then loses connections in the way given. */
async function before(lose: (socket: Socket) => void, times: number) {
  const asked: { method: string | undefined; socket: Socket }[] = [];
  const peer = await listen(({ method, socket }, response) => {
    asked.push({ method, socket });
    if (asked.length > 1 && asked.length <= 1 + times) lose(socket);
    else response.end("here");
  });
  const port = await listen(proxyTo("rest", `http://127.0.0.1:${peer}`, { logger }));
  const ask = async (method: string, body?: string): Promise<{ status: number | undefined; body: string }> => {
    const headers = body ? { "content-length": body.length } : {};
    const asking = httpRequest({ port, method, headers, path: "/api/v1/users/me" }).end(body);
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    return { status: answer.statusCode, body: await text(answer) };
  };
  expect(await ask("GET")).toEqual({ status: 200, body: "here" });
  return { ask, asked };
}

const drop = (socket: Socket) => void socket.destroy();

test("a GET whose kept connection is lost unanswered is asked once more, on a connection of its own", async () => {
  const { ask, asked } = await before(drop, 1);
  expect(await ask("GET")).toEqual({ status: 200, body: "here" });
  expect(asked).toHaveLength(3);
  expect(asked[1]?.socket).toBe(asked[0]?.socket);
  expect(asked[2]?.socket).not.toBe(asked[1]?.socket);
});

test("it is asked no more than once more", async () => {
  const { ask, asked } = await before(drop, 2);
  expect((await ask("GET")).status).toBe(503);
  expect(asked).toHaveLength(3);
  expect(await ask("HEAD")).toEqual({ status: 200, body: "" });
});

test("what may change something, or had a body, is asked once", async () => {
  const { ask, asked } = await before(drop, 2);
  expect((await ask("POST", "{}")).status).toBe(503);
  expect((await ask("GET", "[]")).status).toBe(503);
  expect(asked).toHaveLength(3);
});

test("what was answered in part is not asked again", async () => {
  const { ask, asked } = await before((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhe", () => socket.resetAndDestroy());
  }, 1);
  await expect(ask("GET")).rejects.toThrow();
  expect(asked).toHaveLength(2);
});
