import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { testCertificate } from "../../../test/support/http/certificate.ts";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { HttpServer } from "../http/server.ts";
import { sender } from "../rpc/send.ts";
import { loadInternalTls } from "./internal-tls.ts";

let folder = "";
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-tls-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A certificate that is its own authority: who has the former one trusts neither side. */
async function renew(): Promise<string> {
  const { cert, key } = await testCertificate("localhost");
  await Promise.all([
    writeFile(path("tls.crt"), cert),
    writeFile(path("tls.key"), key),
    writeFile(path("ca.crt"), cert),
  ]);
  return cert;
}

test("renewed files are shown and trusted on both sides of a call without a new start", async () => {
  await renew();
  const tls = await loadInternalTls({
    INTERNAL_TLS_CERT: path("tls.crt"),
    INTERNAL_TLS_KEY: path("tls.key"),
    INTERNAL_TLS_CA: path("ca.crt"),
  });
  const refusing = { logger: silentLogger, service: "echo" };
  const server = new HttpServer(
    ({ socket }, response) => void response.end(String((socket as TLSSocket).authorized)),
    refusing,
    { tls, requestLimitMs: 60_000 },
  );
  const port = await server.listen("HTTP_PORT", 0);
  const send = sender(tls);
  const ask = async () => text(await send(`https://localhost:${port}`, { method: "GET", timeoutMs: 5_000 }));
  expect(await ask()).toBe("true");
  const cert = await renew();
  const renewed = Promise.withResolvers<void>();
  tls?.follow((files) => {
    if (files.cert === cert) renewed.resolve();
  });
  const watch = tls?.watch(silentLogger);
  watch?.start();
  await renewed.promise;
  expect(await ask()).toBe("true");
  await watch?.stop();
  await server.close(0);
});
