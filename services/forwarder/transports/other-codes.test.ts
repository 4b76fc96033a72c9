import { afterEach, expect, test } from "@jest/globals";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { standardTimeouts } from "../smtp/session.ts";
import { outgoing } from "../test-support/outbound-message.ts";
import { RelayTransport } from "./relay.ts";

// A code that was not expected means what its first digit says (RFC 5321 section 4.2.1).

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function relayTo(answers: Parameters<typeof acceptAll>[0], credentials = "") {
  const server = await ScriptedServer.start(acceptAll(answers));
  const url = `smtp://${credentials}127.0.0.1:${server.port}`;
  const relay = new RelayTransport({ url, clientName: "postern.example", maxSessions: 1, timeouts: standardTimeouts });
  closing.push(
    () => server.stop(),
    () => relay.close(),
  );
  return { relay, server };
}

test.each([
  ["the greeting", { "": "250 ready\r\n" }],
  ["EHLO", { EHLO: "251-mx.example\r\n251 SIZE 100\r\n" }],
  ["HELO", { EHLO: "502 what\r\n", HELO: "220 mx.example\r\n" }],
  ["MAIL", { MAIL: "200 ok\r\n" }],
  ["RCPT", { RCPT: "252 cannot be verified, taken\r\n" }],
  ["RCPT, sent together with the rest", { EHLO: "250-mx\r\n250 PIPELINING\r\n", RCPT: "252 taken\r\n" }],
  ["DATA", { DATA: "350 go on\r\n" }],
  ["the end of the message", { ".": "200 taken\r\n" }],
])("2yz or 3yz to %s is as good as the code that is usual", async (_, answers) => {
  const { relay } = await relayTo(answers);
  expect(await relay.send(outgoing())).toMatchObject({ kind: "delivered" });
});

test("a login and a reset go by the first digit too", async () => {
  const { relay, server } = await relayTo(
    {
      EHLO: "250-mx.example\r\n250 AUTH PLAIN\r\n",
      AUTH: "250 welcome\r\n",
      RCPT: () => (server.lines.filter((line) => line.startsWith("RCPT")).length === 1 ? "550 no\r\n" : "250 ok\r\n"),
      RSET: "220 ok\r\n",
    },
    "user:secret@",
  );
  expect(await relay.send(outgoing())).toMatchObject({ kind: "failed", response: "550 no" });
  expect(await relay.send(outgoing())).toMatchObject({ kind: "delivered" });
  expect(server.connectionCount).toBe(1);
});

test("2yz to DATA opens no content, and 3yz to MAIL or RCPT is no acceptance", async () => {
  for (const [verb, code] of Object.entries({ DATA: 250, MAIL: 354, RCPT: 354 })) {
    const { relay, server } = await relayTo({ [verb]: `${code} ok\r\n` });
    expect(await relay.send(outgoing("Subject: secret\r\n\r\n"))).toMatchObject({ kind: "deferred" });
    expect(server.lines).not.toContain("Subject: secret");
  }
});
