import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { forwarderDatabase } from "../../../services/forwarder/test-support/database.ts";
import { ForwarderUnderTest } from "../../../services/forwarder/test-support/forwarder.ts";
import { parseFields } from "../../../services/message/header/fields.ts";
import { provideDkimpy, verifyByDkimpy } from "../../support/mail/dkimpy.ts";
import { type ReceivedMail, SmtpSink } from "../../support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../support/peers/database.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;

beforeAll(async () => {
  await provideDkimpy();
  db = await forwarderDatabase();
  sink = await SmtpSink.start();
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url });
}, peerInstallLimitMs);
afterEach(() => {
  sink.messages.length = 0;
});
afterAll(async () => {
  await forwarder.stop();
  await sink.stop();
  await db.dispose();
});

type Differences = Parameters<ForwarderUnderTest["accept"]>[2];

const results =
  "postern.localhost;\r\n\tspf=pass smtp.mailfrom=author@sender.example;\r\n\tdmarc=pass header.from=sender.example";

async function records(): Promise<Record<string, string>> {
  const listed = await forwarder.service.client.dnsRecords({});
  return Object.fromEntries(listed.records.map(({ name, value }) => [name, value]));
}

async function forwarded(bytes: Buffer | string, differences: Differences = {}): Promise<ReceivedMail> {
  const count = sink.messages.length;
  await forwarder.accept(bytes, ["real@x.example"], { authenticationResults: results, ...differences });
  return (await sink.received(count + 1)).at(-1) as ReceivedMail;
}

const message =
  "From: Author <author@sender.example>\r\nTo: proxy@postern.localhost\r\nSubject:  folded \r\n\tsubject\r\nDKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=s; h=from; bh=AA==; b=AA==\r\n\r\nline  with \t space \r\n\r\nlast\r\n\r\n";

describe("a forwarded message", () => {
  test("bears both DKIM signatures and an ARC set that a second implementation verifies, above the octets that came", async () => {
    const { bytes } = await forwarded(message);
    expect(bytes.subarray(-message.length).toString("latin1")).toBe(message);
    const names = parseFields(bytes.subarray(0, bytes.length - message.length)).map(({ name }) => name);
    expect(names).toEqual([
      "arc-seal",
      "arc-message-signature",
      "arc-authentication-results",
      "dkim-signature",
      "dkim-signature",
      "authentication-results",
      "received",
    ]);
    for (const line of bytes.toString("latin1").split("\r\n")) expect(line.length).toBeLessThanOrEqual(100);
    const verdict = await verifyByDkimpy(bytes, await records());
    expect(verdict).toMatchObject({ arc: "pass" });
    expect(verdict.dkim.map(({ isValid }) => isValid)).toEqual([true, true, false]);
    expect(verdict.dkim.map(({ selector }) => selector[0])).toEqual(["e", "r", "s"]);
  });

  test("that is large is hashed as it streams by", async () => {
    const large = `${message}${"0123456789 abcdefghij\t\r\n".repeat(100_000)}`;
    const { bytes } = await forwarded(large);
    expect(bytes.subarray(-large.length).equals(Buffer.from(large))).toBe(true);
    const verdict = await verifyByDkimpy(bytes, await records());
    expect(verdict).toMatchObject({ arc: "pass", dkim: [{ isValid: true }, { isValid: true }, { isValid: false }] });
  });

  test("continues the chain that came, as ingress found it", async () => {
    const { bytes: once } = await forwarded(message);
    const authentication = { arc: "pass" };
    const { bytes: twice } = await forwarded(once, { authentication });
    expect(twice.toString("latin1")).toMatch(/^ARC-Seal: i=2; a=rsa-sha256; cv=pass;/);
    expect(await verifyByDkimpy(twice, await records())).toMatchObject({ arc: "pass" });

    const { bytes: unevaluated } = await forwarded(once);
    expect(unevaluated.toString("latin1")).not.toContain("i=2;");
    expect(unevaluated.toString("latin1")).toMatch(/^DKIM-Signature:/);

    const broken = Buffer.from(once.toString("latin1").replace("Subject:  folded", "Subject: forged"), "latin1");
    const { bytes: failed } = await forwarded(broken, { authentication: { arc: "fail" } });
    expect(failed.toString("latin1")).toMatch(/^ARC-Seal: i=2; a=rsa-sha256; cv=fail;/);
    const { bytes: afterFailure } = await forwarded(failed, { authentication: { arc: "fail" } });
    expect(afterFailure.toString("latin1")).not.toContain("i=3;");
  });

  test("loses what pretends to be our verdict, and nothing else", async () => {
    const forged =
      "Authentication-Results: POSTERN.localhost; dmarc=pass\r\nAuthentication-Results: other.example; spf=pass\r\n";
    const { bytes } = await forwarded(`${forged}${message}`);
    const text = bytes.toString("latin1");
    expect(text).not.toContain("POSTERN.localhost");
    expect(text.endsWith(`\r\nAuthentication-Results: other.example; spf=pass\r\n${message}`)).toBe(true);
    expect(await verifyByDkimpy(bytes, await records())).toMatchObject({ arc: "pass" });
  });

  test("is from the proxy address where the author's DMARC would fail, and signed so", async () => {
    const authentication = {
      authorDomain: "sender.example",
      dmarc: "pass",
      policy: "reject",
      spfAligned: true,
      arc: "none",
    };
    const { bytes } = await forwarded(message, { authentication });
    const text = bytes.toString("latin1");
    expect(text).toContain(
      '\r\nFrom: "Author (author at sender.example)" <proxy@postern.localhost>\r\nReply-To: Author <author@sender.example>\r\nTo: proxy',
    );
    expect(text.endsWith(message.slice(message.indexOf("To: ")))).toBe(true);
    const verdict = await verifyByDkimpy(bytes, await records());
    expect(verdict).toMatchObject({ arc: "pass", dkim: [{ isValid: true }, { isValid: true }, { isValid: false }] });
  });

  test.each([
    ["its own signature passed", { policy: "reject", dkimAligned: true }],
    ["nobody is asked to keep it away", { policy: "none" }],
    ["the domain publishes nothing", { policy: "" }],
  ])("keeps its From where %s", async (_, authentication) => {
    const { bytes } = await forwarded(message, { authentication });
    expect(bytes.subarray(-message.length).toString("latin1")).toBe(message);
  });

  test.each([
    ["blanks before its colons", "From \t : a@sender.example\r\nSubject : x\r\n"],
    ["folds before its colons", "From\r\n : a@sender.example\r\nSubject \r\n\t : x\r\n"],
    ["a line that begins no field", "From: a@sender.example\r\nSubject: x\r\nno field\r\n"],
    ["a name that would be a tag of the signature", "From: a@sender.example\r\nSubject: x\r\nContent-X;l=0: y\r\n"],
  ])("with %s is signed, and verifies", async (_, header) => {
    const { bytes } = await forwarded(`${header}\r\nbody\r\n`);
    const published = await records();
    const { results: verdicts } = await dkimVerify(bytes, {
      resolver: async (name: string) => [[published[name.toLowerCase()] ?? ""]],
    });
    expect(verdicts.map(({ status }) => status.result)).toEqual(["pass", "pass"]);
    for (const { signingHeaders } of verdicts) expect(signingHeaders?.keys).toBe("From: Subject");
  });

  test("without From is forwarded without signatures", async () => {
    const { bytes } = await forwarded("Subject: who?\r\n\r\nbody\r\n", { authenticationResults: "" });
    expect(bytes.toString("latin1")).toMatch(/^Received: .*\r\n\r\nbody\r\n$/s);
  });

  test("has every octet of any header block and body, and verifies", async () => {
    // No NUL: it is left out of what leaves (RFC 5321 section 2.3.8, RFC 6152).
    const text = fc.string({ unit: "binary", maxLength: 200 }).map((given) => given.replaceAll(/[\r\n\0]/g, ""));
    const line = fc.oneof(text, fc.constantFrom("", " ", "\t", ".", "..", ".leading", "trailing \t"));
    // RFC 6376 section 3.4.2 strips SP and HTAB alone off a value; dkimpy strips vertical tabs and form feeds as well.
    const value = line.filter((each) => !/^[ \t]*[\v\f]|[\v\f][ \t]*$/.test(each));
    const headerField = fc.tuple(fc.constantFrom("Subject", "To", "X-Odd", "Received", "DKIM-Signature"), value);
    const body = fc.array(line, { maxLength: 20 }).map((lines) => lines.map((each) => `${each}\r\n`).join(""));
    const published = await records();
    await fc.assert(
      fc.asyncProperty(fc.array(headerField, { maxLength: 8 }), body, async (fields, content) => {
        const header = fields.map((field) => `${field.join(": ")}\r\n`).join("");
        const given = Buffer.from(`From: a@sender.example\r\n${header}\r\n${content}`);
        const { bytes } = await forwarded(given, { smtpUtf8: true });
        expect(bytes.subarray(-given.length).equals(given)).toBe(true);
        const verdict = await verifyByDkimpy(bytes, published);
        expect([verdict.arc, ...verdict.dkim.slice(0, 2).map(({ isValid }) => isValid)]).toEqual(["pass", true, true]);
      }),
      { numRuns: 10 },
    );
  });
});

test("a key that took over signs, and what the former one signed still verifies", async () => {
  const { bytes: before } = await forwarded(message);
  const { selectors } = await forwarder.service.client.rotateSigningKeys({ leadH: 0 });
  const { bytes: after } = await forwarded(message);
  for (const selector of selectors) expect(after.toString("latin1")).toContain(` s=${selector};`);
  for (const bytes of [before, after])
    expect(await verifyByDkimpy(bytes, await records())).toMatchObject({
      arc: "pass",
      dkim: [{ isValid: true }, { isValid: true }, {}],
    });
});

test("a key that is to sign later is published and does not sign", async () => {
  const { selectors } = await forwarder.service.client.rotateSigningKeys({ leadH: 1 });
  const { bytes } = await forwarded(message);
  for (const selector of selectors) {
    expect(bytes.toString("latin1")).not.toContain(` s=${selector};`);
    expect(await records()).toHaveProperty([`${selector}._domainkey.postern.localhost`]);
  }
});

test("no private key lies in the database in the clear", async () => {
  const { rows } = await db.query<{ sealed: Buffer }>("select sealed from signing_key");
  for (const { sealed } of rows) expect(sealed.toString("latin1")).not.toContain("PRIVATE KEY");
});
