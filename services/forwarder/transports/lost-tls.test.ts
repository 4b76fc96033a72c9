import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterEach, expect, test } from "@jest/globals";
import { testCertificate } from "../../../test/support/http/certificate.ts";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { mxTransport } from "../test-support/mx-transport.ts";
import { outgoing } from "../test-support/outbound-message.ts";

const closing: (() => Promise<void>)[] = [];
const keyPair = await testCertificate("inbox.example");

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** An exchanger that offers TLS, and whose connection by TLS does as told. */
async function exchangerWith(inTls: (secured: TLSSocket) => void) {
  const startTls = (socket: Socket): undefined => {
    socket.removeAllListeners("data").write("220 go\r\n");
    const secured = new TLSSocket(socket, { isServer: true, ...keyPair });
    secured.on("error", () => undefined);
    inTls(secured);
  };
  const server = await ScriptedServer.start(
    acceptAll({ EHLO: "250-mx.example\r\n250 STARTTLS\r\n", STARTTLS: startTls }),
  );
  const { mx, names } = await mxTransport({ port: server.port, zone: { "inbox.example A": ["127.0.0.1"] } });
  closing.push(
    () => names.stop(),
    () => server.stop(),
    () => mx.close(),
  );
  return { mx, server };
}

test("a connection that is lost between the handshake and the reply to EHLO goes without TLS (RFC 7435)", async () => {
  const { mx, server } = await exchangerWith((secured) => secured.on("data", () => secured.destroy()));
  expect(await mx.send(outgoing())).toMatchObject({ kind: "delivered" });
  expect(server.connectionCount).toBe(2);
});

test("a refusal of EHLO inside TLS is no failure of TLS", async () => {
  const { mx, server } = await exchangerWith((secured) => secured.on("data", () => secured.write("550 go away\r\n")));
  expect(await mx.send(outgoing())).toMatchObject({ kind: "deferred", response: "550 go away" });
  expect(server.connectionCount).toBe(1);
});
