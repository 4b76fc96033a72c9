import { create } from "@bufbuild/protobuf";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DomainChangedSchema } from "../../../proto/gen/postern/bindings/v1/domain_changed_pb.js";
import { eventually } from "../../../test/support/eventually.ts";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { Outage } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { recordDomains } from "../signing/own-domains.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let names = 0;

beforeAll(async () => {
  db = await forwarderDatabase();
});
beforeEach(async () => {
  sink = await SmtpSink.start();
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url, FORWARD_RETRY_S: "0.05,0.05" });
});
afterEach(async () => {
  await forwarder.stop();
  await sink.stop();
  await db.query("truncate delivery, notice, outbox cascade");
});
afterAll(() => db.dispose());

const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\nhello\r\n";
const passed = {
  authorDomain: "sender.example",
  dmarc: "pass",
  policy: "none",
  dkimAligned: true,
  spfAligned: true,
  spf: "pass",
  arc: "none",
};

/** A domain that its owner has proved, with the records of its keys or without. */
async function ownDomain(isSignable: boolean) {
  names += 1;
  const domain = { domainId: newId(), ownerId: newId(), name: `own${names}.example`, state: "verified" };
  const keys = await forwarder.service.client.domainKeys({ domainId: domain.domainId });
  const publishedSelectors = isSignable ? keys.map(({ selector }) => selector) : [];
  await db.tx((tx) => recordDomains(tx, [create(DomainChangedSchema, { ...domain, publishedSelectors })]));
  return { ownerId: domain.ownerId, proxyAddress: `proxy@${domain.name}`, name: domain.name };
}

const signers = (bytes: Buffer | undefined) => [
  ...new Set(
    [
      ...String(bytes)
        .replaceAll(/\r\n[ \t]/g, " ")
        .matchAll(/^DKIM-Signature:.*? d=([^;]+);/gm),
    ].map(([, of]) => of),
  ),
];

test.each([
  ["where the binding answers", { answers: true, authentication: passed }],
  ["where the author cannot pass DMARC", { authentication: { ...passed, dkimAligned: false, policy: "reject" } }],
])("From at an own domain, %s: with its records it leaves signed by it", async (_where, differences) => {
  const { name, ...own } = await ownDomain(true);
  await forwarder.accept(message, ["a@x.example"], { ...own, ...differences });
  const [mail] = await sink.received(1);
  expect(signers(mail?.bytes)).toEqual([name]);
});

test.each([
  ["where the binding answers", { answers: true, authentication: passed }],
  ["where the author cannot pass DMARC", { authentication: { ...passed, dkimAligned: false, policy: "reject" } }],
])(
  "From at an own domain, %s: without its records it is deferred, and its author told in the end",
  async (_where, differences) => {
    const { name, ...own } = await ownDomain(false);
    const { emailId } = await forwarder.accept(message, ["a@x.example"], { ...own, ...differences });
    const [report] = await sink.received(1);
    expect(report).toMatchObject({ sender: "", recipient: "author@sender.example" });
    await eventually(async () => {
      const { rows } = await db.query(
        "select state, attempts -> -1 ->> 'response' as response from delivery where email_id = $1",
        [emailId],
      );
      expect(rows).toEqual([
        { state: "given_up", response: expect.stringContaining(`451 4.7.5 no DKIM record of ${name}`) },
      ]);
    });
  },
);

test("its author is told in the end, also where the message could not be read for that at first", async () => {
  const { name: _name, ...own } = await ownDomain(false);
  // Each of the three attempts reads the message twice: to build it, and for what its author is told.
  forwarder.outages.push(...Array.from({ length: 5 }, () => undefined), new Outage("ingress", { retryAfterS: 0 }));
  await forwarder.accept(message, ["a@x.example"], { ...own, answers: true, authentication: passed });
  await eventually(async () => {
    const { rows } = await db.query("select state from delivery where email_id is not null");
    expect(rows).toEqual([{ state: "given_up" }]);
  });
  const { rows } = await db.query("select address from delivery where notice_id is not null");
  expect(rows).toEqual([{ address: "author@sender.example" }]);
});

test("From that stays the author's needs no records: it is signed by the service's domain", async () => {
  const { name: _name, ...own } = await ownDomain(false);
  await forwarder.accept(message, ["a@x.example"], { ...own, authentication: passed });
  const [mail] = await sink.received(1);
  expect(signers(mail?.bytes)).toEqual(["postern.localhost"]);
});
