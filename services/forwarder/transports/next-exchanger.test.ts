import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { mxTransport } from "../test-support/mx-transport.ts";
import { outgoing } from "../test-support/outbound-message.ts";

// An exchanger that ends its service, or the connection, says nothing of the message: the next one is tried (RFC 5321 section 5.1).

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const next = "next.example[127.0.0.2]";

/** Two exchangers at one port: the first answers as told, the second takes everything. */
async function exchangers(answers: Parameters<typeof acceptAll>[0], nextAnswers: typeof answers = {}) {
  const first = acceptAll(answers);
  const second = acceptAll(nextAnswers);
  const server = await ScriptedServer.start(
    (line, socket, connection) => (socket.localAddress === "127.0.0.2" ? second : first)(line, socket, connection),
    "0.0.0.0",
  );
  const zone = {
    "inbox.example MX": ["10 first.example", "20 next.example"],
    "first.example A": ["127.0.0.1"],
    "next.example A": ["127.0.0.2"],
  };
  const { mx, names } = await mxTransport({ port: server.port, zone });
  closing.push(
    () => names.stop(),
    () => server.stop(),
    () => mx.close(),
  );
  return { mx, server };
}

const hangUp = (socket: Socket): undefined => {
  socket.destroy();
};
const closes = "421 4.3.2 going down\r\n";
const pipelining = "250-mx.example\r\n250 PIPELINING\r\n";

describe("the next exchanger gets the message", () => {
  test.each([
    ["MAIL", { MAIL: closes }],
    ["RCPT", { RCPT: closes }],
    ["RCPT, sent together with the rest", { EHLO: pipelining, RCPT: closes, DATA: closes }],
    ["DATA", { DATA: closes }],
    ["the end of the message", { ".": closes }],
  ])("after 421 to %s", async (_, answers) => {
    const { mx } = await exchangers(answers);
    expect(await mx.send(outgoing())).toMatchObject({ kind: "delivered", remote: next });
  });

  test.each(["MAIL", "RCPT", "DATA"])("after a connection that is lost at %s", async (verb) => {
    const { mx } = await exchangers({ [verb]: hangUp });
    expect(await mx.send(outgoing())).toMatchObject({ kind: "delivered", remote: next });
  });

  test("and its refusal is what counts", async () => {
    const { mx } = await exchangers({ MAIL: closes }, { RCPT: "550 5.1.1 unknown\r\n" });
    expect(await mx.send(outgoing())).toMatchObject({ kind: "failed", response: "550 5.1.1 unknown", remote: next });
  });
});

describe("the next exchanger is not asked", () => {
  test("about what is of the message: another refusal for now, or one that is final", async () => {
    for (const refusal of ["451 4.7.1 greylisted", "550 5.1.1 unknown"]) {
      const { mx, server } = await exchangers({ RCPT: `${refusal}\r\n` });
      expect(await mx.send(outgoing())).toMatchObject({ response: refusal, remote: "first.example[127.0.0.1]" });
      expect(server.connectionCount).toBe(1);
    }
  });

  test("once the first may have taken the message: it would come twice", async () => {
    const { mx, server } = await exchangers({ ".": hangUp });
    expect(await mx.send(outgoing())).toMatchObject({ kind: "deferred" });
    expect(server.connectionCount).toBe(1);
  });
});

test("where all of them end their service, the message waits, and each was asked once", async () => {
  const { mx, server } = await exchangers({ MAIL: closes }, { MAIL: "421 4.3.2 so am I\r\n" });
  expect(await mx.send(outgoing())).toMatchObject({ kind: "deferred", response: "421 4.3.2 so am I", remote: next });
  expect(server.connectionCount).toBe(2);
});

test("a kept session that is answered by 421 and left open is not asked again", async () => {
  const { mx, server } = await exchangers({ MAIL: () => (mails().length === 1 ? "250 ok\r\n" : closes) });
  const mails = () => server.lines.filter((line) => line.startsWith("MAIL"));
  await mx.send(outgoing());
  expect(await mx.send(outgoing())).toMatchObject({ kind: "delivered", remote: next });
  // The message before, this one over its session, over a new one, and at the next exchanger.
  expect(mails()).toHaveLength(4);
});
