import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { errorDocument } from "./support/documents.ts";
import { contractInstallation } from "./support/installation.ts";

// Requests as no HTTP client sends them, and what Node would answer by itself: in the shape of every error all the same.

async function answerTo(lines: readonly string[], path = "/api/v1/proxy-bindings") {
  const { hostname, port } = new URL((await contractInstallation()).url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(`GET ${path} ${[...lines, "Connection: close", "", ""].join("\r\n")}`);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  const isDocument = /^content-type: application\/json/im.test(head);
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]), body: isDocument ? JSON.parse(body) : body };
}

const malformed = { status: 400, body: errorDocument("MalformedRequest", "gateway") };

test.each(["/api/v1/proxy-bindings", "/graphql", "/", "/nothing"])("%s without a Host", async (path) => {
  expect(await answerTo(["HTTP/1.1"], path)).toEqual(malformed);
});

test("two Hosts", async () => {
  expect(await answerTo(["HTTP/1.1", "Host: a.example", "host: b.example"])).toEqual(malformed);
});

test("HTTP/1.0 needs no Host", async () => {
  expect((await answerTo(["HTTP/1.0"])).status).toBe(401);
});

test("an expectation that nobody can meet", async () => {
  const failed = { status: 417, body: errorDocument("ExpectationFailed", "gateway") };
  expect(await answerTo(["HTTP/1.1", "Host: a.example", "Expect: a-miracle"])).toEqual(failed);
});

test("what is no HTTP at all", async () => {
  expect(await answerTo(["SMTP/1.1", "Host: a.example"])).toEqual(malformed);
});
