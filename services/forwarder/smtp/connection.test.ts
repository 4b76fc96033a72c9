import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { outgoing } from "../test-support/outbound-message.ts";
import { RelayTransport } from "../transports/relay.ts";
import { standardTimeouts } from "./session.ts";

test("a reply beyond ASCII is read as it was written, wherever the network cuts it", async () => {
  const text = "550 5.1.1 Postfach für Jörg unbekannt 📭";
  const server = await ScriptedServer.start(
    acceptAll({
      RCPT: (socket) => {
        socket.setNoDelay(true);
        const dripAll = async () => {
          for (const octet of Buffer.from(`${text}\r\n`)) {
            socket.write(Buffer.of(octet));
            await nextTurn();
          }
        };
        void dripAll();
        return undefined;
      },
    }),
  );
  const url = `smtp://127.0.0.1:${server.port}`;
  const relay = new RelayTransport({ url, clientName: "postern.example", maxSessions: 1, timeouts: standardTimeouts });
  const result = await relay.send(outgoing());
  await relay.close();
  await server.stop();
  expect(result).toMatchObject({ kind: "failed", response: text });
});
