import { afterEach, describe, expect, test } from "@jest/globals";
import { acceptAll, ScriptedServer } from "../../../test/support/mail/scripted-server.ts";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { Zone } from "../../../test/support/peers/dns-server.ts";
import { mxTransport } from "../test-support/mx-transport.ts";
import { outgoing } from "../test-support/outbound-message.ts";
import { allowedRanges } from "./address-policy.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function exchangersAt(zone: Zone, port: number, maxSessions?: number, allowed?: readonly string[]) {
  const made = await mxTransport({ port, zone, maxSessions, allowed });
  closing.push(
    () => made.names.stop(),
    () => made.mx.close(),
  );
  return made;
}

async function sink(disabledCommands: string[] = ["STARTTLS"]): Promise<SmtpSink> {
  const started = await SmtpSink.start({ disabledCommands });
  closing.push(() => started.stop());
  return started;
}

const to = (recipient: string) => outgoing(undefined, { recipient });

describe("exchangers of a domain", () => {
  test("are tried in their order until one answers", async () => {
    const next = await sink();
    const { mx } = await exchangersAt(
      {
        "inbox.example MX": ["20 second.example", "10 first.example"],
        "first.example A": ["127.0.0.2"],
        "second.example A": ["127.0.0.1"],
      },
      next.port,
    );
    expect(await mx.send(to("real@inbox.example"))).toMatchObject({
      kind: "delivered",
      remote: "second.example[127.0.0.1]",
    });
    expect(next.messages[0]).toMatchObject({ recipient: "real@inbox.example", isSecure: false });
  });

  test("are in any order where their preference is the same (RFC 5321 section 5.1)", async () => {
    const next = await sink();
    const domains = Array.from({ length: 30 }, (_, index) => `inbox${index}.example`);
    const { mx } = await exchangersAt(
      {
        ...Object.fromEntries(
          domains.map((domain) => [`${domain} MX`, ["20 third.example", "10 first.example", "10 second.example"]]),
        ),
        ...Object.fromEntries(["first", "second", "third"].map((name) => [`${name}.example A`, ["127.0.0.1"]])),
      },
      next.port,
    );
    const tried = new Set<string>();
    for (const domain of domains) tried.add((await mx.send(to(`real@${domain}`))).remote);
    expect(tried).toEqual(new Set(["first.example[127.0.0.1]", "second.example[127.0.0.1]"]));
  });

  test("are the domain itself where none are named (RFC 5321 section 5.1)", async () => {
    const next = await sink();
    const { mx } = await exchangersAt({ "inbox.example A": ["127.0.0.1"] }, next.port);
    expect(await mx.send(to("real@INBOX.example"))).toMatchObject({ kind: "delivered" });
  });

  test("are passed over when they greet with a refusal", async () => {
    const rude = await ScriptedServer.start(acceptAll({ "": "421 not today\r\n" }));
    closing.push(() => rude.stop());
    const { mx } = await exchangersAt(
      { "inbox.example MX": ["10 a.example"], "a.example A": ["127.0.0.1", "127.0.0.3"] },
      rude.port,
    );
    expect(await mx.send(to("real@inbox.example"))).toMatchObject({ kind: "deferred", response: "421 not today" });
  });

  test("are few sessions each, and a domain's sessions are its own", async () => {
    const next = await sink();
    const { mx } = await exchangersAt({ "a.example A": ["127.0.0.1"], "b.example A": ["127.0.0.1"] }, next.port, 2);
    await Promise.all(
      ["a.example", "b.example"].flatMap((domain) => Array.from({ length: 20 }, () => mx.send(to(`real@${domain}`)))),
    );
    const sessionsOf = (domain: string) =>
      new Set(next.messages.filter(({ recipient }) => recipient.endsWith(domain)).map(({ sessionId }) => sessionId));
    expect(next.messages).toHaveLength(40);
    expect(sessionsOf("a.example").size).toBeLessThanOrEqual(2);
    expect([...sessionsOf("a.example")].filter((session) => sessionsOf("b.example").has(session))).toEqual([]);
  });
});

describe("a domain that takes no mail", () => {
  test("is final: no such name, or a null MX (RFC 7505)", async () => {
    const { mx } = await exchangersAt({ "null.example MX": ["0 ."] }, 25);
    expect(await mx.send(to("real@nowhere.example"))).toMatchObject({
      kind: "failed",
      response: expect.stringMatching(/^5\.1\.2 /),
      remote: "",
    });
    expect(await mx.send(to("real@null.example"))).toMatchObject({
      kind: "failed",
      response: expect.stringMatching(/^5\.1\.10 .*7505/),
    });
  });

  test("is not final when nobody can be asked", async () => {
    const { mx, names } = await exchangersAt({}, 25);
    await names.stop();
    closing.shift();
    expect(await mx.send(to("real@inbox.example"))).toMatchObject({ kind: "deferred" });
  });
});

describe("special addresses", () => {
  const zone = {
    "a.example A": ["127.0.0.1"],
    "b.example MX": ["10 mx.b.example"],
    "mx.b.example A": ["127.0.0.1"],
    "c.example MX": ["10 127.0.0.1"],
    "d.example AAAA": ["::ffff:127.0.0.1"],
  };
  const recipients = [
    "real@a.example",
    "real@b.example",
    "real@c.example",
    "real@d.example",
    "real@[127.0.0.1]",
    "real@127.0.0.1",
  ];

  test("are not connected to, however a record or an address has them, although the name servers are the operator's", async () => {
    const next = await sink();
    const { mx } = await exchangersAt(zone, next.port, 4, []);
    for (const recipient of recipients)
      expect([recipient, await mx.send(to(recipient))]).toMatchObject([recipient, { kind: "deferred", remote: "" }]);
    expect(next.messages).toEqual([]);
  });

  test("are, where they are allowed", async () => {
    const next = await sink();
    const { mx } = await exchangersAt(zone, next.port);
    for (const recipient of recipients.slice(0, 3))
      expect(await mx.send(to(recipient))).toMatchObject({ kind: "delivered" });
  });

  test("are loopback by default where every name server is on loopback, and none elsewhere", () => {
    const allows = (given: string[], servers: string[]) => allowedRanges(given, servers).contains("127.0.0.1");
    expect(allows([], ["127.0.0.1:5353", "[::1]:53", "::1"])).toBe(true);
    expect([allows([], []), allows([], ["127.0.0.1", "10.0.0.53"]), allows(["10.0.0.0/8"], ["127.0.0.1"])]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("encryption", () => {
  test("is used where it is offered, whoever signed the certificate (RFC 7435)", async () => {
    const next = await sink([]);
    const { mx } = await exchangersAt({ "inbox.example A": ["127.0.0.1"] }, next.port);
    expect(await mx.send(to("real@inbox.example"))).toMatchObject({ kind: "delivered" });
    expect(next.messages[0]?.isSecure).toBe(true);
  });

  test("is done without where it is offered and broken", async () => {
    const broken = await ScriptedServer.start(
      acceptAll({
        EHLO: "250-mx.example\r\n250 STARTTLS\r\n",
        STARTTLS: (socket) => {
          socket.end("220 go\r\nthis is no handshake");
          return undefined;
        },
      }),
    );
    closing.push(() => broken.stop());
    const { mx } = await exchangersAt({ "inbox.example A": ["127.0.0.1"] }, broken.port);
    expect(await mx.send(to("real@inbox.example"))).toMatchObject({ kind: "delivered" });
    expect(broken.connectionCount).toBe(2);
  });

  /** A server whose handshakes are lost, and that refuses mail in the clear. */
  async function demanding(refusal: string, offersTls = true) {
    const server = await ScriptedServer.start(
      acceptAll({
        EHLO: offersTls ? "250-mx.example\r\n250 STARTTLS\r\n" : "250 mx.example\r\n",
        STARTTLS: (socket) => {
          socket.end("220 go\r\nthis is no handshake");
          return undefined;
        },
        MAIL: `${refusal}\r\n`,
      }),
    );
    closing.push(() => server.stop());
    const { mx } = await exchangersAt({ "inbox.example A": ["127.0.0.1"] }, server.port);
    return { mx, server };
  }

  test.each([
    "530 5.7.0 Must issue a STARTTLS command first",
    "530 Encryption is needed",
    "554 5.7.10 Encryption needed",
    "538 5.7.11 Encryption required for requested authentication mechanism",
    "550 5.7.1 Use STARTTLS",
  ])("that failed and is demanded by %s defers, and says why it failed", async (refusal) => {
    const { mx } = await demanding(refusal);
    const result = await mx.send(to("real@inbox.example"));
    expect(result).toMatchObject({ kind: "deferred", remote: "inbox.example[127.0.0.1]" });
    expect(result.response).toMatch(/ \(sent in the clear because TLS failed: .{5,}\)$/);
    expect(result.response.startsWith(refusal)).toBe(true);
  });

  test("that failed changes nothing about other refusals, nor one that was never offered about its demand", async () => {
    const { mx: spam } = await demanding("554 5.7.1 spam");
    expect(await spam.send(to("real@inbox.example"))).toMatchObject({ kind: "failed", response: "554 5.7.1 spam" });
    const { mx: plain } = await demanding("530 5.7.0 Must issue a STARTTLS command first", false);
    expect(await plain.send(to("real@inbox.example"))).toMatchObject({ kind: "failed" });
  });

  test("is tried anew for the next message after a server demanded it", async () => {
    const { mx, server } = await demanding("530 5.7.0 Must issue a STARTTLS command first");
    await mx.send(to("real@inbox.example"));
    await mx.send(to("real@inbox.example"));
    expect(server.lines.filter((line) => line === "STARTTLS")).toHaveLength(2);
  });
});
