import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { testCertificate } from "../../../test/support/http/certificate.ts";
import { SinkRefusal, SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import { standardTimeouts } from "../smtp/session.ts";
import { outgoing } from "../test-support/outbound-message.ts";
import { RelayTransport } from "./relay.ts";

const closing: (() => Promise<void>)[] = [];
const certificate = await testCertificate("localhost");
const usual = getCACertificates("default");

beforeAll(() => setDefaultCACertificates([...usual, certificate.cert]));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => setDefaultCACertificates(usual));

interface Login {
  method: string;
  user: string;
  password: string;
}

/** A relay that speaks TLS from the first octet and takes mail after a login alone, with what logins it heard. */
async function implicitRelay(authMethods: string[], { key, cert } = certificate) {
  const logins: Login[] = [];
  const sink = await SmtpSink.start({
    key,
    cert,
    secure: true,
    authOptional: false,
    authMethods,
    onAuth: ({ method, username, password }, _session, done) => {
      const user = username ?? "";
      logins.push({ method, user, password: password ?? "" });
      if (user === "us@er" && password === "pä:ss") done(null, { user });
      else done(new SinkRefusal(535, "5.7.8 no"));
    },
  });
  closing.push(() => sink.stop());
  return { sink, logins };
}

function relayTo(url: string): RelayTransport {
  const relay = new RelayTransport({ url, clientName: "postern.example", maxSessions: 2, timeouts: standardTimeouts });
  closing.push(() => relay.close());
  return relay;
}

describe("a relay over TLS from the first octet (RFC 8314)", () => {
  test.each(["PLAIN", "LOGIN"])("is logged in to by %s", async (method) => {
    const { sink, logins } = await implicitRelay([method]);
    expect(await relayTo(`smtps://us%40er:p%C3%A4%3Ass@localhost:${sink.port}`).send(outgoing())).toMatchObject({
      kind: "delivered",
    });
    expect(logins).toEqual([{ method, user: "us@er", password: "pä:ss" }]);
    expect(sink.messages).toMatchObject([{ isSecure: true }]);
  });

  test.each(["PLAIN", "LOGIN"])("that refuses the password by %s defers the message", async (method) => {
    const { sink, logins } = await implicitRelay([method]);
    expect(await relayTo(`smtps://us%40er:wrong@localhost:${sink.port}`).send(outgoing())).toMatchObject({
      kind: "deferred",
      response: expect.stringMatching(/^535 /),
    });
    expect([logins.length, sink.messages.length]).toEqual([1, 0]);
  });

  test("that cannot prove its name is told neither password nor message", async () => {
    const { sink, logins } = await implicitRelay(["PLAIN"], await testCertificate("relay.example"));
    // The same loopback address, written so that it does not count as one.
    for (const credentials of ["us%40er:p%C3%A4%3Ass@", ""])
      expect(await relayTo(`smtps://${credentials}[::ffff:127.0.0.1]:${sink.port}`).send(outgoing())).toMatchObject({
        kind: "deferred",
        response: expect.stringMatching(/certificate|altname/i),
      });
    expect([logins, sink.messages]).toEqual([[], []]);
  });
});

describe("a relay by STARTTLS", () => {
  test("is told no password without it, nor before it has proved its name", async () => {
    const logins: string[] = [];
    for (const disabledCommands of [["STARTTLS"], []]) {
      const sink = await SmtpSink.start({
        ...(await testCertificate("relay.example")),
        disabledCommands,
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username }, _session, done) => {
          logins.push(username ?? "");
          done(null, { user: username ?? "" });
        },
      });
      closing.push(() => sink.stop());
      expect(await relayTo(`smtp://user:secret@[::ffff:127.0.0.1]:${sink.port}`).send(outgoing())).toMatchObject({
        kind: "deferred",
        response: expect.stringMatching(/STARTTLS|certificate/),
      });
    }
    expect(logins).toEqual([]);
  });
});
