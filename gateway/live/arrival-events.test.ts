import { request as ask, createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Outage, Refusal } from "../../services/platform/errors.ts";
import { eventually } from "../../test/support/eventually.ts";
import { arrivalEvents } from "./arrival-events.ts";
import { LiveConnections } from "./live-connections.ts";

let server: Server;
let streams: PassThrough[];
let subscribed: Promise<void>;
/** How often it was asked who listens, and what is said from now on. */
let asked: number;
let failure: Error | undefined;
/** Faults that would end the process. */
let faults: unknown[];

async function listen(times: { limitMs?: number; recheckMs?: number } = {}): Promise<number> {
  const live = new LiveConnections(
    {
      account: async () => {
        asked += 1;
        if (failure) throw failure;
        return { accountId: "a" } as never;
      },
    },
    {
      arrivals: async () => {
        await subscribed;
        const stream = new PassThrough();
        streams.push(stream);
        return stream as never;
      },
    },
    times,
  );
  server = createServer((request, response) => {
    // A listener of our own only in the test: without one in the code, an error of the response would end the process.
    const hadListener = () => response.listenerCount("error") > 0;
    arrivalEvents(live)(request, response).catch((error: unknown) => faults.push(error));
    response.once("finish", () => faults.push(...(hadListener() ? [] : ["no listener for errors"])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

beforeEach(() => {
  streams = [];
  faults = [];
  asked = 0;
  failure = undefined;
  subscribed = Promise.resolve();
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("events are passed on as they come, and an empty line as a heartbeat", async () => {
  const port = await listen();
  const answer = await new Promise<IncomingMessage>((resolve) => ask({ port }, resolve).end());
  let text = "";
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  streams[0]?.write('{"emailId":"1"}\n\n');
  await eventually(() => expect(text).toBe('retry: 3000\n\nevent: email\ndata: {"emailId":"1"}\n\n:\n\n'));
  answer.destroy();
  await eventually(() => expect(streams[0]?.destroyed).toBe(true));
});

test("whoever hangs up before the subscription is there leaves none behind", async () => {
  const gate = Promise.withResolvers<void>();
  subscribed = gate.promise;
  const port = await listen();
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const closed = new Promise<void>((resolve) =>
    server.once("request", (_request, response) => response.once("close", resolve)),
  );
  await new Promise((resolve) => server.once("request", resolve));
  socket.destroy();
  await closed;
  gate.resolve();
  await eventually(() => expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]));
});

test("a client that does not read is cut off, and nothing is written to it after the end", async () => {
  const port = await listen({ limitMs: 300 });
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => socket.destroy());
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await eventually(() => expect(streams).toHaveLength(1));
  const [stream] = streams;
  const line = `${"x".repeat(1_000)}\n`;
  await eventually(() => {
    if (!stream?.destroyed) stream?.write(line.repeat(500));
    expect(stream?.destroyed).toBe(true);
  });
  expect(faults).toEqual([]);
  socket.destroy();
});

test("whoever has signed out, or was disabled, is told nothing more; an outage ends nothing", async () => {
  const port = await listen({ recheckMs: 10 });
  const answer = await new Promise<IncomingMessage>((resolve) => ask({ port }, resolve).end());
  const ended = new Promise<void>((resolve) => answer.resume().once("end", resolve));
  failure = new Outage("auth");
  const before = asked;
  await eventually(() => expect(asked).toBeGreaterThan(before + 2));
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([false]);
  failure = new Refusal("BearerTokenInvalid", { public: "no longer" });
  await ended;
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(faults).toEqual([]);
});
