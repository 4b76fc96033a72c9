import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { forwarderDatabase } from "../../services/forwarder/test-support/database.ts";
import { ForwarderUnderTest } from "../../services/forwarder/test-support/forwarder.ts";
import { provideDkimpy, verifyByDkimpy } from "../support/mail/dkimpy.ts";
import { SmtpSink } from "../support/mail/smtp-sink.ts";
import type { TestDatabase } from "../support/peers/database.ts";
import { peerInstallLimitMs } from "../support/run/peer-install-limit.ts";

// A message that the service signed is sent on by somebody else, with a field more: another subject, other recipients, another
// reading of the same body. Clients show or obey what was added, under a signature that still verifies.

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let signed: string;
let records: Record<string, string>;

beforeAll(async () => {
  await provideDkimpy();
  db = await forwarderDatabase();
  sink = await SmtpSink.start();
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url });
  await forwarder.accept("From: a@sender.example\r\nSubject: x\r\nContent-Odd: y\r\n\r\nbody\r\n", ["real@x.example"]);
  signed = (await sink.received(1))[0]?.bytes.toString("latin1") ?? "";
  const listed = await forwarder.service.client.dnsRecords({});
  records = Object.fromEntries(listed.records.map(({ name, value }) => [name, value]));
}, peerInstallLimitMs);
afterAll(async () => {
  await forwarder.stop();
  await sink.stop();
  await db.dispose();
});

async function isValid(message: string): Promise<boolean[]> {
  const { dkim } = await verifyByDkimpy(Buffer.from(message, "latin1"), records);
  return dkim.map((signature) => signature.isValid);
}

test("as it left, it verifies", async () => {
  expect(await isValid(signed)).toEqual([true, true]);
});

test.each([
  "From",
  "To",
  "Cc",
  "Subject",
  "Date",
  "Reply-To",
  "MIME-Version",
  "Content-Type",
  "Content-Transfer-Encoding",
  "Content-Disposition",
  "Content-ID",
  "Content-Description",
  "Content-Language",
  "Content-Location",
  "Content-Base",
  "Content-MD5",
  "Content-Duration",
  "Content-Features",
  "Content-Alternative",
  // It has one already that nobody knows.
  "Content-Odd",
])("with another %s on top or below, it does not", async (name) => {
  const [header = "", body] = signed.split("\r\n\r\n", 2);
  expect(await isValid(`${name}: text/html\r\n${signed}`)).toEqual([false, false]);
  expect(await isValid(`${header}\r\n${name}: text/html\r\n\r\n${body}`)).toEqual([false, false]);
});

test("its signatures end within a week, so that it cannot be sent on for ever; the ARC set has no end", () => {
  const header = signed.split("\r\n\r\n", 1)[0]?.replace(/\r\n\s+/g, " ") ?? "";
  const ends = header.match(/^DKIM-Signature:.*/gm)?.map((field) => {
    const [, signedAtS, endsAtS] = /; t=(\d+); x=(\d+);/.exec(field) ?? [];
    return Number(endsAtS) - Number(signedAtS);
  });
  expect(ends).toEqual([7 * 86_400, 7 * 86_400]);
  expect(header).toMatch(/^ARC-Message-Signature:(?!.*; x=)/m);
});
