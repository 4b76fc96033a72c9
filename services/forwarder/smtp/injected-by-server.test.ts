import type { Socket } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { mxTransport } from "../test-support/mx-transport.ts";
import { outgoing } from "../test-support/outbound-message.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Replies that somebody between the servers puts behind the one to STARTTLS, in one packet (RFC 3207 section 6). */
test.each([
  ["a whole reply", "220 go\r\n250 injected\r\n"],
  ["two of them", "220 go\r\n250-injected\r\n250 injected\r\n250 2.1.0 injected\r\n"],
  ["the end of the service", "220 go\r\n421 injected\r\n"],
  ["the beginning of a reply", "220 go\r\n250-injected"],
  ["what is no reply", "220 go\r\ninjected\r\n"],
])(
  "%s behind the reply to STARTTLS is no reply inside TLS: the session ends, and the message goes by the next",
  async (_name, answer) => {
    const startTls = (socket: Socket): undefined => {
      socket.write(answer);
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
    expect(await mx.send(outgoing())).toMatchObject({ kind: "delivered" });
    expect(server.connectionCount).toBe(2);
  },
);
