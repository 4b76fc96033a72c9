import { afterEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { type SinkOptions, SinkRefusal, SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import { Outage } from "../../platform/errors.ts";
import { standardTimeouts } from "../smtp/session.ts";
import { outgoing } from "../test-support/outbound-message.ts";
import { RelayTransport } from "./relay.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function relayTo(url: string, { maxSessions = 4, timeouts = standardTimeouts } = {}): RelayTransport {
  const relay = new RelayTransport({ url, clientName: "postern.example", maxSessions, timeouts });
  closing.push(() => relay.close());
  return relay;
}

async function sink(options: SinkOptions = {}): Promise<SmtpSink> {
  const started = await SmtpSink.start(options);
  closing.push(() => started.stop());
  return started;
}

async function scripted(...script: Parameters<typeof acceptAll>): Promise<{ server: ScriptedServer; url: string }> {
  const server = await ScriptedServer.start(acceptAll(...script));
  closing.push(() => server.stop());
  return { server, url: `smtp://127.0.0.1:${server.port}` };
}

describe("what a relay takes", () => {
  test("is what came, octet by octet, whole or in pieces", async () => {
    const next = await sink();
    const relay = relayTo(next.url);
    const octets = fc
      .uint8Array({ maxLength: 3_000 })
      .map((bytes) => Buffer.from(bytes.filter((octet) => octet !== 10 && octet !== 13)));
    const body = fc.array(
      fc.oneof(
        octets,
        fc.constant(Buffer.from(".")),
        fc.constant(Buffer.from("\r\n")),
        fc.constant(Buffer.from("\r\n.\r\n")),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (parts, inPieces) => {
        const bytes = Buffer.concat([Buffer.from("Subject: x\r\n\r\n"), ...parts, Buffer.from("\r\n")]);
        expect(await relay.send(outgoing(bytes, {}, { inPieces }))).toMatchObject({ kind: "delivered" });
        expect(next.messages.at(-1)?.bytes.equals(bytes)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test("goes over few sessions, kept open, with the envelope as it was given", async () => {
    const next = await sink();
    const relay = relayTo(next.url, { maxSessions: 3 });
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        relay.send(outgoing(`Subject: ${index}\r\n\r\n\r\n`, { sender: index % 2 ? "" : "bounce+x@postern.example" })),
      ),
    );
    expect(outcomes.every(({ kind }) => kind === "delivered")).toBe(true);
    expect(new Set(next.messages.map(({ sessionId }) => sessionId)).size).toBeLessThanOrEqual(3);
    expect(next.messages.filter(({ sender }) => sender === "")).toHaveLength(30);
  });

  test("is announced as what it is: size, eight bits, internationalized", async () => {
    const next = await sink({ size: 1_000 });
    await relayTo(next.url).send(
      outgoing("Subject: grüße\r\n\r\n\r\n", {
        smtpUtf8: true,
        eightBitMime: true,
        recipient: "jörg@inbox.example",
      }),
    );
    expect(next.messages[0]).toMatchObject({
      recipient: "jörg@inbox.example",
      parameters: { SIZE: "22", BODY: "8BITMIME", SMTPUTF8: true },
    });
  });

  test("goes encrypted where that is offered", async () => {
    const next = await sink({ disabledCommands: [] });
    expect(await relayTo(next.url).send(outgoing())).toMatchObject({ kind: "delivered" });
    expect(next.messages[0]?.isSecure).toBe(true);
  });

  test("is preceded by a login, and a refused one is no fault of the message", async () => {
    const next = await sink({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === "us@er" && password === "pä:ss"
          ? done(null, { user: username })
          : done(new SinkRefusal(535, "no")),
    });
    const host = `127.0.0.1:${next.port}`;
    expect(await relayTo(`smtp://us%40er:p%C3%A4%3Ass@${host}`).send(outgoing())).toMatchObject({
      kind: "delivered",
    });
    expect(await relayTo(`smtp://user:wrong@${host}`).send(outgoing())).toMatchObject({
      kind: "deferred",
      response: expect.stringMatching(/^535/),
    });
  });
});

describe("what a relay refuses", () => {
  test("is final with 5yz, and not with 4yz, at the recipient and after the message; the session goes on", async () => {
    const codes: Record<string, number> = { "unknown@x.example": 550, "grey@x.example": 451 };
    const next = await sink({
      atRecipient: (recipient) => {
        if (codes[recipient]) throw new SinkRefusal(codes[recipient], "not now");
      },
      atMessage: ({ bytes }) => {
        if (bytes.includes("spam")) throw new SinkRefusal(554, "5.7.1 spam");
        if (bytes.includes("full")) throw new SinkRefusal(452, "4.2.2 full");
      },
    });
    const relay = relayTo(next.url, { maxSessions: 1 });
    expect(await relay.send(outgoing("\r\n", { recipient: "unknown@x.example" }))).toMatchObject({
      kind: "failed",
      response: "550 not now",
    });
    expect(await relay.send(outgoing("\r\n", { recipient: "grey@x.example" }))).toMatchObject({
      kind: "deferred",
      response: "451 not now",
    });
    expect(await relay.send(outgoing("\r\nspam\r\n"))).toMatchObject({
      kind: "failed",
      response: "554 5.7.1 spam",
    });
    expect(await relay.send(outgoing("\r\nfull\r\n"))).toMatchObject({
      kind: "deferred",
      response: "452 4.2.2 full",
    });
    expect(await relay.send(outgoing())).toMatchObject({ kind: "delivered", remote: "127.0.0.1[127.0.0.1]" });
  });

  test("is not final before the message is its matter: greeting, EHLO", async () => {
    for (const verb of ["", "HELO"]) {
      const { url } = await scripted({ EHLO: "502 what?\r\n", [verb]: "554 no service here\r\n" });
      expect(await relayTo(url).send(outgoing())).toMatchObject({
        kind: "deferred",
        response: expect.stringMatching(/^55/),
      });
    }
  });

  test("is final at once where it does not take what the message needs", async () => {
    const { server, url } = await scripted({ EHLO: "250-mx.example\r\n250 SIZE 10\r\n" });
    expect(await relayTo(url).send(outgoing())).toMatchObject({
      kind: "failed",
      response: expect.stringContaining("5.3.4"),
    });
    expect(await relayTo(url).send(outgoing("\r\n", { smtpUtf8: true }))).toMatchObject({
      kind: "failed",
      response: expect.stringContaining("5.6.7"),
    });
    expect(server.lines.filter((line) => line.startsWith("MAIL"))).toEqual([]);
  });

  test("does not reach the content of a refused envelope, pipelined or not", async () => {
    for (const EHLO of ["250 mx.example\r\n", "250-mx.example\r\n250 PIPELINING\r\n"]) {
      const { server, url } = await scripted({ EHLO, RCPT: "550 5.1.1 unknown\r\n", DATA: "354 all the same\r\n" });
      expect(await relayTo(url).send(outgoing("Subject: secret\r\n\r\n"))).toMatchObject({
        kind: "failed",
        response: "550 5.1.1 unknown",
      });
      expect(server.lines).not.toContain("Subject: secret");
    }
  });
});

describe("a connection that is lost", () => {
  const hangUp = (socket: { destroy(): void }): undefined => {
    socket.destroy();
  };

  test.each(["", "EHLO", "MAIL", "RCPT", "DATA", "."])("at %p defers the message", async (verb) => {
    const { url } = await scripted({ [verb]: hangUp });
    expect(await relayTo(url).send(outgoing())).toMatchObject({ kind: "deferred" });
  });

  test("in the middle of an answer defers the message", async () => {
    const { url } = await scripted({
      RCPT: (socket) => {
        socket.end("25");
        return undefined;
      },
    });
    expect(await relayTo(url).send(outgoing())).toMatchObject({ kind: "deferred" });
  });

  test("while it was kept open costs nothing: the message goes over another", async () => {
    const { server, url } = await scripted({
      MAIL: (socket, connection) =>
        connection === 1 && server.lines.filter((line) => line.startsWith("MAIL")).length > 1
          ? hangUp(socket)
          : "250 ok\r\n",
    });
    const relay = relayTo(url);
    expect(await relay.send(outgoing())).toMatchObject({ kind: "delivered" });
    expect(await relay.send(outgoing())).toMatchObject({ kind: "delivered" });
    expect(server.connectionCount).toBe(2);
  });

  test("or never came about, defers the message", async () => {
    const { server, url } = await scripted();
    await server.stop();
    closing.pop();
    expect(await relayTo(url).send(outgoing())).toMatchObject({
      kind: "deferred",
      response: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

describe("time", () => {
  test("runs out for a server that drips its answer", async () => {
    const { url } = await scripted({
      MAIL: (socket) => {
        const drip = setInterval(() => socket.write("2"), 20);
        socket.on("close", () => clearInterval(drip));
        return undefined;
      },
    });
    const relay = relayTo(url, { timeouts: { ...standardTimeouts, handshakeMs: 300 } });
    expect(await relay.send(outgoing())).toMatchObject({ kind: "deferred", response: "no answer within 0.3 s" });
  });
});

test("a source that breaks off is thrown, and what was sent of it is no message", async () => {
  const next = await sink();
  const broken = { sizeBytes: 9, open: async () => half() };
  await expect(relayTo(next.url).send({ ...outgoing(), content: broken })).rejects.toThrow(Outage);
  expect(next.messages).toEqual([]);
});

async function* half(): AsyncGenerator<Buffer> {
  yield Buffer.from("Subject: half\r\n\r\nhal");
  await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Outage("ingress");
}
