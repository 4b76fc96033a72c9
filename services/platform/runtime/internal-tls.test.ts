import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { request } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { testCertificate } from "../../../test/support/http/certificate.ts";
import { defineStatelessService } from "../service.ts";
import { createHost, type Host } from "./host.ts";

const echoContract = {
  service: "echo",
  procedures: { say: { kind: "query", input: z.object({ word: z.string() }), output: z.object({ word: z.string() }) } },
  streams: { spell: z.object({ word: z.string() }) },
} as const;
const askerContract = { ...echoContract, service: "asker" } as const;

/** Says what it is told, to peers, as a stream, and by HTTP. */
const echo = defineStatelessService({
  name: "echo",
  config: {},
  needs: {},
  contract: echoContract,
  build: () => ({
    procedures: { say: async ({ word }: { word: string }) => ({ word }) },
    streams: { spell: async ({ word }: { word: string }) => Readable.from([Buffer.from(word)]) },
    http: (incoming, response) => void response.end(`echo of ${incoming.url}`),
  }),
});

let upstream: RequestListener | undefined;
const asker = defineStatelessService({
  name: "asker",
  config: {},
  needs: { echo: echoContract },
  contract: askerContract,
  build: (context) => {
    upstream = context.upstream.echo;
    return {
      procedures: { say: (input) => context.rpc.echo.say(input) },
      streams: { spell: (input) => context.streams.echo.spell(input) },
    };
  },
});

let folder = "";
let port = 0;
const hosts: Host[] = [];

async function host(service: typeof echo, environment: Record<string, string>): Promise<Host> {
  const started = await createHost({
    services: [service],
    isPart: true,
    environment: { LOG_LEVEL: "silent", ...environment },
  });
  await started.start();
  hosts.push(started);
  return started;
}

const ask = (asking: Host, word: string) => asking.service("asker").serve("say", { word });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-tls-"));
  const { cert, key } = await testCertificate("localhost");
  await Promise.all([writeFile(join(folder, "cert.pem"), cert), writeFile(join(folder, "key.pem"), key)]);
});
afterAll(async () => {
  for (const each of hosts) await each.stop();
  await rm(folder, { recursive: true });
});

const common = () => ({ SECRET_KEY: "k".repeat(32), DATA_DIR: folder });
const tls = () => ({
  INTERNAL_TLS_CERT: join(folder, "cert.pem"),
  INTERNAL_TLS_KEY: join(folder, "key.pem"),
  INTERNAL_TLS_CA: join(folder, "cert.pem"),
});

test("calls, streams and HTTP between services go by mutual TLS, whatever the URL says", async () => {
  const [echoPort, askerPort] = await freePorts(2);
  port = Number(echoPort);
  await host(echo, { ...common(), ...tls(), INTERNAL_PORT: String(port) });
  const url = { ECHO_URL: `http://localhost:${port}`, INTERNAL_PORT: String(askerPort) };
  const asking = await host(asker, { ...common(), ...tls(), ...url });
  expect(await ask(asking, "hello")).toEqual({ word: "hello" });
  const spell = asking.service("asker").streams["spell"];
  expect(await text((await spell?.({ word: "abc" } as never)) as Readable)).toBe("abc");
  const front = createServer((incoming, response) => upstream?.(incoming, response)).listen(0);
  const { port: frontPort } = front.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${frontPort}/path`)).text()).toBe("echo of /path");
  front.close();
});

/** The status of an HTTPS request, with or without a certificate. */
const statusOf = (path: string, identity = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const options = { host: "localhost", port, path, rejectUnauthorized: false, agent: false, ...identity };
    request(options, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });

test("who shows no certificate of the installation is probed and measured, and otherwise refused", async () => {
  const stranger = await testCertificate("localhost");
  for (const identity of [{}, stranger]) {
    expect(await statusOf("/healthz", identity)).toBe(200);
    expect(await statusOf("/path", identity)).toBe(403);
    expect(await statusOf("/rpc/echo/say", identity)).toBe(403);
  }
});

test("nothing is answered in the clear", async () => {
  const socket = connect(port, "localhost");
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(await text(socket)).not.toContain("200 OK");
});

test("one of the three files alone, or one that is not there, is a fault of the configuration", async () => {
  const started = (environment: Record<string, string>) => host(echo, { ...common(), ...environment });
  await expect(started({ INTERNAL_TLS_CERT: join(folder, "cert.pem") })).rejects.toThrow(/expected all three or none/);
  await expect(started({ ...tls(), INTERNAL_TLS_CA: "/nowhere" })).rejects.toThrow(/INTERNAL_TLS_CA: .*ENOENT/);
});
