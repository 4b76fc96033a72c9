import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "@jest/globals";
import { createLogger } from "../telemetry/logger.ts";
import { HttpServer } from "./server.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
let server: HttpServer | undefined;
afterEach(() => server?.close(1_000));

const limits = { requestLimitMs: 60_000 };

test("a request on a connection that was idle when the server began to stop is answered, as the last there", async () => {
  server = new HttpServer(
    (_request, response) => response.end("here"),
    { logger, service: "test" },
    { requestLimitMs: 60_000, graceMs: 60_000 },
  );
  const port = await server.listen("HTTP_PORT", 0);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => fetchText({ port, agent });
  expect((await ask()).body).toBe("here");
  // Ends long before its time, with the last connection: what is left then is cut off, an answer that is late as well.
  const closed = server.close(60_000);
  const last = await ask();
  expect(last).toEqual({ body: "here", connection: "close" });
  await closed;
});

async function fetchText(options: RequestOptions): Promise<{ body: string; connection: string | undefined }> {
  const [response] = (await once(request(options).end(), "response")) as [IncomingMessage];
  return { body: await text(response), connection: response.headers.connection };
}

test.each([
  ["of the handler", "GET / HTTP/1.1\r\nHost: a.example", 200],
  ["to a request without Host", "GET / HTTP/1.1", 400],
  ["to an expectation", "GET / HTTP/1.1\r\nHost: a.example\r\nExpect: x", 417],
  ["to what is no HTTP", "HELO a.example", 400],
  ["to headers that are too large", `GET / HTTP/1.1\r\nHost: a.example\r\nX: ${"x".repeat(20_000)}`, 431],
])("an answer %s has the headers that every answer has", async (_name, sent, status) => {
  const headers = { "strict-transport-security": "max-age=31536000" };
  server = new HttpServer((_request, response) => response.end("here"), { logger, service: "test", headers }, limits);
  const socket = connect(await server.listen("HTTP_PORT", 0), "127.0.0.1");
  await once(socket, "connect");
  socket.end(`${sent}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  expect(Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])).toBe(status);
  expect(answer).toMatch(/^strict-transport-security: max-age=31536000\r$/m);
});

test("a request that was answered 408 is not carried out, though its rest comes after all", async () => {
  const bodies: string[] = [];
  server = new HttpServer(
    (request) =>
      void text(request).then(
        (body) => bodies.push(body),
        () => undefined,
      ),
    { logger, service: "test" },
    { requestLimitMs: 100 },
  );
  const socket = connect(await server.listen("HTTP_PORT", 0), "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\n\r\na");
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 408 /);
  socket.on("error", () => undefined).write("b");
  await once(socket, "close");
  expect(bodies).toEqual([]);
});

test("an answer may take longer than its request may", async () => {
  server = new HttpServer(
    // Node looks for requests that are over their time once a second.
    (_request, response) => void setTimeout(() => response.end("late"), 2_500),
    { logger, service: "test" },
    { requestLimitMs: 100 },
  );
  const port = await server.listen("HTTP_PORT", 0);
  expect((await fetchText({ port, agent: false })).body).toBe("late");
});
