import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Installation, startInstallation } from "../support/installation/installation.ts";

// Each request that goes on for ever holds a connection, and what was read of it. Byte by byte it is never idle.

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation({ environment: { REQUEST_TIMEOUT_S: "1" } });
}, 180_000);
afterAll(() => installation?.dispose());

const restMs = 50;

/** Sends the beginning of a request, and then a byte of it every so often, until the connection is closed. */
async function trickle(beginning: string, more: string): Promise<string> {
  const { hostname, port } = new URL(installation.url);
  const socket = connect(Number(port), hostname);
  const closed = untilClosed(socket);
  await once(socket, "connect");
  socket.write(beginning);
  let isOver = false;
  void closed.then(() => {
    isOver = true;
  });
  for (let at = 0; !isOver; at++, await delay(restMs)) if (socket.writable) socket.write(more[at % more.length] ?? "");
  return closed;
}

/** What was answered until then. */
function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    socket
      .setEncoding("latin1")
      .on("data", (text) => {
        answer += text;
      })
      .on("error", () => undefined)
      .once("close", () => resolve(answer));
  });
}

const head = (line: string, framing = "Content-Length: 1000000") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;

test.each([
  ["the body of a sign-in", head("POST /api/v1/auth"), " "],
  ["the body of a request with a made-up token", head("POST /api/v1/proxy-bindings"), " "],
  ["chunks", head("POST /api/v1/auth", "Transfer-Encoding: chunked"), "1\r\n \r\n"],
  ["the body of a request to nowhere", head("POST /api/v1/nowhere"), " "],
  ["the body of a query", head("POST /graphql"), " "],
  ["headers", "GET /api/v1/proxy-bindings HTTP/1.1\r\nHost: localhost\r\nX: ", "x"],
])("%s", async (_name, beginning, more) => {
  expect((await trickle(beginning, more)).split("\r\n")).toContain("HTTP/1.1 408 Request Timeout");
});

test("a body that no answer waits for: the connection is closed all the same", async () => {
  expect(await trickle(head("GET /"), " ")).toMatch(/^HTTP\/1.1 200 OK\r\n/);
});

test("what was read of them is released: as many again are taken", async () => {
  const body = head("POST /api/v1/auth") + " ".repeat(990_000);
  for (let turn = 0; turn < 2; turn++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => trickle(body, " ")));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array.from({ length: 4 }, () => "HTTP/1.1 408"));
  }
});
