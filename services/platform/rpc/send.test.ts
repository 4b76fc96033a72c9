import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, expect, test } from "@jest/globals";
import { testCertificate } from "../../../test/support/http/certificate.ts";
import { jsonOf, sender } from "./send.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

test("an idle connection is left by its client before the peer closes it, and one that is busy is not", async () => {
  const { cert, key } = await testCertificate("localhost");
  const tls = { cert, key, ca: cert };
  // It answers later than an idle connection is left.
  const server = createServer(tls, (_request, response) => setTimeout(() => response.end('"here"'), 1_500));
  // Long after the client leaves: a machine that halts for a few seconds must not let both come due at once.
  server.keepAliveTimeout = 30_000;
  closing.push(() => server.close());
  server.listen(0, "localhost");
  await once(server, "listening");
  const connected = once(server, "secureConnection") as Promise<[TLSSocket]>;
  const answer = await sender({ follow: (apply) => apply(tls) })(
    `https://localhost:${(server.address() as AddressInfo).port}`,
    {
      method: "GET",
      timeoutMs: 30_000,
    },
  );
  expect(await jsonOf(answer)).toBe("here");
  const [socket] = await connected;
  const left = once(socket, "end").then(() => "the client");
  const closed = once(socket, "close").then(() => "the peer");
  expect(await Promise.race([left, closed])).toBe("the client");
});
