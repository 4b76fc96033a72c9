import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { testCertificate } from "../../../test/support/http/certificate.ts";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { Zone } from "../../../test/support/peers/dns-server.ts";
import { classifyReply } from "../replies/classify-reply.ts";
import { mxTransport } from "../test-support/mx-transport.ts";
import { outgoing } from "../test-support/outbound-message.ts";

// What a domain demands of whoever sends to it: DANE (RFC 7672) and MTA-STS (RFC 8461). A demand that is not met defers
// the message; it never goes in the clear, nor to somebody else.

const exchanger = "mx.inbox.example";
/** The policy host listens where HTTPS does, on a loopback address that nothing else uses. */
const policyAddress = "127.0.0.44";
const [known, unknown, elsewhere] = [
  await testCertificate(exchanger),
  await testCertificate(exchanger),
  await testCertificate("other.example"),
];
const policyHost = await testCertificate("mta-sts.inbox.example");

type Pair = Awaited<ReturnType<typeof testCertificate>>;

const closing: (() => Promise<void>)[] = [];
const usual = getCACertificates("default");

beforeAll(() => setDefaultCACertificates([...usual, known.cert, elsewhere.cert, policyHost.cert]));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => setDefaultCACertificates(usual));

/** An exchanger of inbox.example that takes mail in the clear as well, unless it is told not to offer TLS at all. */
async function exchangerWith({ key, cert }: Pair, offersTls = true): Promise<SmtpSink> {
  const sink = await SmtpSink.start({ key, cert, disabledCommands: offersTls ? [] : ["STARTTLS"] });
  closing.push(() => sink.stop());
  return sink;
}

async function transportTo(port: number, zone: Zone, allowed?: readonly string[]) {
  const { mx, names } = await mxTransport({
    port,
    zone: { "inbox.example MX": [`10 ${exchanger}`], [`${exchanger} A`]: ["127.0.0.1"], ...zone },
    maxSessions: 2,
    allowed,
  });
  closing.push(
    () => names.stop(),
    () => mx.close(),
  );
  return mx;
}

const to = outgoing(undefined, { recipient: "real@inbox.example" });

describe("DANE", () => {
  const digestOf = ({ cert }: Pair) =>
    createHash("sha256")
      .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" }))
      .digest("hex");
  const tlsa = (port: number, record: string): Zone => ({ [`_${port}._tcp.${exchanger} TLSA`]: [record] });

  test("a key that its record names is good, whoever signed the certificate", async () => {
    const sink = await exchangerWith(unknown);
    const mx = await transportTo(sink.port, tlsa(sink.port, `3 1 1 ${digestOf(unknown)}`));
    expect(await mx.send(to)).toMatchObject({ kind: "delivered" });
    expect(sink.messages).toMatchObject([{ isSecure: true }]);
  });

  test("another key defers, even with a certificate that is trusted", async () => {
    const sink = await exchangerWith(known);
    const mx = await transportTo(sink.port, tlsa(sink.port, `3 1 1 ${digestOf(unknown)}`));
    const result = await mx.send(to);
    expect(result).toMatchObject({ kind: "deferred", response: expect.stringMatching(/dane|tlsa/i) });
    expect(classifyReply(result.response).reason).toBe("unreachable");
    expect(sink.messages).toEqual([]);
  });

  test("an exchanger that offers no TLS, or one whose records cannot be had, defers", async () => {
    const plain = await exchangerWith(known, false);
    const toPlain = await transportTo(plain.port, tlsa(plain.port, `3 1 1 ${digestOf(known)}`));
    expect(await toPlain.send(to)).toMatchObject({ kind: "deferred", response: expect.stringContaining("STARTTLS") });
    const sink = await exchangerWith(known);
    const unsure = await transportTo(sink.port, tlsa(sink.port, "SERVFAIL"));
    expect(await unsure.send(to)).toMatchObject({ kind: "deferred" });
    expect([...plain.messages, ...sink.messages]).toEqual([]);
  });
});

describe("MTA-STS", () => {
  /** A policy as its host serves it, and the records that lead there. */
  async function policy(mode: string, mx: string): Promise<Zone> {
    const text = `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: 86400\r\n`;
    const host = createServer(policyHost, (request, response) => {
      response.writeHead(request.url === "/.well-known/mta-sts.txt" ? 200 : 404, { "content-type": "text/plain" });
      response.end(text);
    });
    await once(host.listen(443, policyAddress), "listening");
    closing.push(async () => {
      host.closeAllConnections();
      await new Promise((resolve) => host.close(resolve));
    });
    return {
      "_mta-sts.inbox.example TXT": [`v=STSv1; id=${Date.now()}`],
      "mta-sts.inbox.example A": [policyAddress],
    };
  }

  test("an exchanger of the policy, with a certificate that is trusted for its name, gets its mail encrypted", async () => {
    const sink = await exchangerWith(known);
    const mx = await transportTo(sink.port, await policy("enforce", exchanger));
    expect(await mx.send(to)).toMatchObject({ kind: "delivered" });
    expect(sink.messages).toMatchObject([{ isSecure: true }]);
  });

  test.each([
    ["a certificate that nobody trusts", unknown, true, exchanger],
    ["a certificate of another name", elsewhere, true, exchanger],
    ["no TLS at all", known, false, exchanger],
    ["an exchanger that is not of the policy", known, true, "mx.elsewhere.example"],
  ])("%s defers where the policy is enforced", async (_, keyPair, offersTls, allowed) => {
    const sink = await exchangerWith(keyPair, offersTls);
    const mx = await transportTo(sink.port, await policy("enforce", allowed));
    const result = await mx.send(to);
    expect(result).toMatchObject({ kind: "deferred" });
    expect(classifyReply(result.response).reason).toBe("unreachable");
    expect(sink.messages).toEqual([]);
  });

  test("a policy host at a special address is not asked", async () => {
    const sink = await exchangerWith(known);
    const mx = await transportTo(sink.port, await policy("enforce", "mx.elsewhere.example"), ["127.0.0.1/32"]);
    // Had the policy been read, this exchanger would not be one of it.
    expect(await mx.send(to)).toMatchObject({ kind: "delivered" });
  });

  test("a policy host is asked at its IPv6 address where its IPv4 address is special", async () => {
    const sink = await exchangerWith(known);
    const zone = {
      ...(await policy("enforce", "mx.elsewhere.example")),
      "mta-sts.inbox.example A": ["127.0.0.45"],
      "mta-sts.inbox.example AAAA": [`::ffff:${policyAddress}`],
    };
    const mx = await transportTo(sink.port, zone, ["127.0.0.1/32", `${policyAddress}/32`]);
    // The policy was read: it names another exchanger.
    expect(await mx.send(to)).toMatchObject({ kind: "deferred" });
    expect(sink.messages).toEqual([]);
  });

  test("a policy under test keeps nothing back", async () => {
    const sink = await exchangerWith(unknown);
    const mx = await transportTo(sink.port, await policy("testing", "mx.elsewhere.example"));
    expect(await mx.send(to)).toMatchObject({ kind: "delivered" });
  });
});
