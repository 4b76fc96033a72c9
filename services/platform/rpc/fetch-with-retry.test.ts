import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { fetchWithRetry } from "./fetch-with-retry.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

/** A server that loses the first connections in the middle of a request. */
async function losing(count: number, port = 0): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  server = createServer((request, response) => {
    asked++;
    if (asked <= count) request.socket.destroy();
    else response.writeHead(200, { connection: "close" }).end("here");
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const question = { method: "POST", body: "{}" };

test("a safe question is asked once more where its connection was lost, and no more than once", async () => {
  const once = await losing(1);
  expect(await (await fetchWithRetry(once.url, question, true)).text()).toBe("here");
  server?.close();
  const twice = await losing(2);
  await expect(fetchWithRetry(twice.url, question, true)).rejects.toThrow("fetch failed");
  expect([once.asked(), twice.asked()]).toEqual([2, 2]);
});

test("what may have changed something is asked once", async () => {
  const { url, asked } = await losing(1);
  await expect(fetchWithRetry(url, question, false)).rejects.toThrow("fetch failed");
  expect(asked()).toBe(1);
});

test("where nobody listens it is asked once more in any case", async () => {
  const [port = 0] = await freePorts(1);
  const answer = fetchWithRetry(`http://127.0.0.1:${port}`, question, false);
  await losing(0, port);
  expect((await answer).status).toBe(200);
});
