import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { jsonOf, type PeerRequest, sender } from "./send.ts";
import { sendWithRetry } from "./send-with-retry.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

/** A server that loses the first connections in the middle of a request. */
async function losing(count: number, port = 0): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  server = createServer((request, response) => {
    asked++;
    if (asked <= count) request.socket.destroy();
    else response.writeHead(200, { connection: "close" }).end('"here"');
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const send = sender();
const question: PeerRequest = { method: "POST", body: "{}", timeoutMs: 30_000 };

test("a safe question is asked once more where its connection was lost, and no more than once", async () => {
  const once = await losing(1);
  expect(await jsonOf(await sendWithRetry(once.url, question, true, send))).toBe("here");
  server?.close();
  const twice = await losing(2);
  await expect(sendWithRetry(twice.url, question, true, send)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect([once.asked(), twice.asked()]).toEqual([2, 2]);
});

test("what may have changed something is asked once", async () => {
  const { url, asked } = await losing(1);
  await expect(sendWithRetry(url, question, false, send)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(asked()).toBe(1);
});

test("where nobody listens it is asked once more in any case", async () => {
  const [port = 0] = await freePorts(1);
  const answer = sendWithRetry(`http://127.0.0.1:${port}`, question, false, send);
  await losing(0, port);
  expect((await answer).statusCode).toBe(200);
});
