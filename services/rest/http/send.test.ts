import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { allPages, arrayDocument, type JsonPieces, sendJson } from "./send.ts";

const servers: Server[] = [];
let failure: unknown;
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The answer to a request that is answered with these pieces. */
async function answered(json: string | JsonPieces, method = "GET"): Promise<Response> {
  const server = createServer((_request, response) => {
    failure = undefined;
    sendJson(response, 200, json).catch((error: unknown) => {
      failure = error;
      if (!response.headersSent) response.writeHead(503).end();
    });
  }).listen(0);
  servers.push(server);
  await once(server, "listening");
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method });
}

async function* pieces(count: number, sizeCharacters: number): AsyncGenerator<string> {
  yield '"';
  for (let at = 0; at < count; at++) yield "x".repeat(sizeCharacters);
  yield '"';
}

test("a short answer has its length, whole or in pieces", async () => {
  for (const json of ['"xx"', pieces(2, 1)]) {
    const answer = await answered(json);
    expect(answer.headers.get("content-length")).toBe("4");
    expect(await answer.json()).toBe("xx");
  }
});

test("a long one begins before it is made to its end", async () => {
  const { promise: read, resolve: wasRead } = Promise.withResolvers<void>();
  async function* waiting(): AsyncGenerator<string> {
    yield `"${"x".repeat(300_000)}`;
    await read;
    yield '"';
  }
  const answer = await answered(waiting());
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  wasRead();
  let last = "";
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    last = new TextDecoder().decode(next.value).slice(-1);
  expect(last).toBe('"');
});

test("HEAD gets none of it, and the rest is not made", async () => {
  let made = 0;
  async function* counting(): AsyncGenerator<string> {
    for (; made < 100; made++) yield "x".repeat(100_000);
  }
  const answer = await answered(counting(), "HEAD");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("");
  expect(made).toBeLessThan(10);
});

test("what fails at once is an error, what fails in the midst breaks off", async () => {
  async function* failing(sizeCharacters: number): AsyncGenerator<string> {
    yield "x".repeat(sizeCharacters);
    throw new Error("out of reach");
  }
  expect((await answered(failing(10))).status).toBe(503);
  const answer = await answered(failing(400_000));
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
  expect(failure).toMatchObject({ message: "out of reach" });
});

test("all pages, however they are cut, are one array", async () => {
  const page = fc.array(fc.jsonValue(), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 5 }), async (cut) => {
      const asked: unknown[] = [];
      const list = allPages(async ({ after }) => {
        asked.push(after);
        const at = Number(after ?? 0);
        return { items: cut[at] ?? [], nextCursor: at + 1 < cut.length ? String(at + 1) : null };
      });
      const json = arrayDocument("data", list, { head: () => ({ meta: { used: 1 } }), items: ({ items }) => items });
      const document = JSON.parse(await text(json));
      // -0 is 0 in JSON.
      expect(document).toEqual(JSON.parse(JSON.stringify({ meta: { used: 1 }, data: cut.flat() })));
      expect(asked).toEqual(cut.map((_, at) => (at === 0 ? undefined : String(at))));
    }),
  );
});
