import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, test } from "@jest/globals";
import { mxTransport } from "../../services/forwarder/test-support/mx-transport.ts";
import { outgoing } from "../../services/forwarder/test-support/outbound-message.ts";
import { testCertificate } from "../support/http/certificate.ts";
import { acceptAll, ScriptedServer } from "../support/mail/scripted-server.ts";

// An exchanger of anybody's may ask for another handshake of TLS 1.2 in place of each reply, for as long as a reply is waited for.

test("an exchanger that renegotiates gets one handshake a connection", async () => {
  const { key, cert } = await testCertificate("inbox.example");
  let handshakes = 0;
  const startTls = (socket: Socket): undefined => {
    socket.removeAllListeners("data").write("220 go\r\n");
    const secured = new TLSSocket(socket, { isServer: true, key, cert, maxVersion: "TLSv1.2" });
    secured.on("error", () => secured.destroy());
    secured.on("secure", () => {
      handshakes += 1;
    });
    let asked = 0;
    const renegotiate = () => {
      asked += 1;
      if (asked > 20) secured.write("250 mx.example\r\n");
      else secured.renegotiate({}, (error) => (error ? secured.destroy() : renegotiate()));
    };
    secured.once("data", renegotiate);
  };
  const server = await ScriptedServer.start(
    acceptAll({ EHLO: "250-mx.example\r\n250 STARTTLS\r\n", STARTTLS: startTls }),
  );
  const { mx, names } = await mxTransport({ port: server.port, zone: { "inbox.example A": ["127.0.0.1"] } });
  // The next connection goes without TLS, as after any handshake that fails (RFC 7435).
  expect(await mx.send(outgoing())).toMatchObject({ kind: "delivered" });
  expect([handshakes, server.connectionCount]).toEqual([1, 2]);
  await mx.close();
  await server.stop();
  await names.stop();
});
