import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { AddressVerifiedSchema } from "../../../proto/gen/postern/bindings/v1/address_verified_pb.js";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import type { MailAccepted } from "../../../proto/gen/postern/ingress/v1/mail_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { dayMs } from "../../platform/durations.ts";
import { newId } from "../../platform/ids.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;

beforeAll(async () => {
  db = await forwarderDatabase();
});
afterAll(() => db.dispose());
beforeEach(async () => {
  sink = await SmtpSink.start();
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url, FORWARD_RETRY_S: "60,600" });
});
afterEach(async () => {
  await forwarder.stop();
  await sink.stop();
  await db.query("truncate delivery, notice, outbox, author_report, held_delivery, verified_address cascade");
});

const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\nhello\r\n";
const authentication = {
  authorDomain: "sender.example",
  dmarc: "pass",
  policy: "none",
  spfAligned: true,
  spf: "pass",
  arc: "none",
};
const [ownerId, bindingId, addressId] = [newId(), newId(), newId()];
const unverifiedTargets = [{ addressId, address: "new@x.example" }];
const daysAgo = (days: number) => timestampFromDate(new Date(Date.now() - days * dayMs));

type Differences = Parameters<ForwarderUnderTest["accept"]>[2];
const hold = (differences: Differences = {}) =>
  forwarder.accept(message, [], Object.assign({ ownerId, bindingId, unverifiedTargets, authentication }, differences));
const verify = (id = addressId) =>
  forwarder.consume(topics.addressVerified, create(AddressVerifiedSchema, { addressId: id, bindingId, ownerId }));

const recipients = () => sink.messages.map(({ recipient }) => recipient).sort();
async function outcomes({ emailId }: MailAccepted) {
  const settled = await forwarder.published(topics.deliverySettled);
  return settled.filter((each) => each.emailId === emailId).map(({ outcome, response }) => [outcome, response]);
}

/** What is due is looked at twice a second: by then this forward has passed all that was claimed with or before it. */
async function otherMailPasses(): Promise<void> {
  await forwarder.accept(message, ["other@y.example"]);
  await eventually(() => expect(recipients()).toContain("other@y.example"));
}

describe("mail for an address that is yet to be verified", () => {
  test("is held, also when its owner asks for a retry, and forwarded once it is verified", async () => {
    const email = await hold();
    await forwarder.service.client.retry({ ownerId, emailId: email.emailId, realAddress: "new@x.example" });
    await eventually(async () => {
      const { rows } = await db.query(
        "select from delivery where owner_id = $1 and due_at > now() and worker_id is null",
        [ownerId],
      );
      expect(rows).toHaveLength(1);
    });
    await otherMailPasses();
    expect(recipients()).toEqual(["other@y.example"]);
    await verify(newId());
    await verify();
    await eventually(() => expect(recipients()).toEqual(["new@x.example", "other@y.example"]));
    await eventually(async () => expect(await outcomes(email)).toEqual([[Outcome.DELIVERED, expect.any(String)]]));
  });

  test("is forwarded at once where the verification arrives first", async () => {
    await verify();
    await hold();
    await eventually(() => expect(recipients()).toEqual(["new@x.example"]));
  });

  test("is given up after seven days, and its author told so", async () => {
    const email = await hold({ receivedAt: daysAgo(7) });
    const given = [Outcome.GIVEN_UP, expect.stringMatching(/not verified within 7 days/)];
    await eventually(async () => expect(await outcomes(email)).toEqual([given]));
    const [report] = await sink.received(1);
    expect(report).toMatchObject({ sender: "", recipient: "author@sender.example" });
    expect(String(report?.bytes)).toContain("Status: 5.4.7\r\n");
    expect(String(report?.bytes)).not.toContain("x.example");
    expect((await db.query("select from address_failure")).rowCount).toBe(0);
  });

  test("is held up to a hundred messages or 50 MiB for a binding; what is more is given up at once", async () => {
    for (let count = 0; count < 100; count++) await hold();
    const tooMany = await hold();
    await eventually(async () =>
      expect(await outcomes(tooMany)).toEqual([[Outcome.GIVEN_UP, expect.stringContaining("too much mail waits")]]),
    );
    const elsewhere = { bindingId: newId(), sizeBytes: 40 * 1024 * 1024 };
    await hold(elsewhere);
    const tooLarge = await hold(elsewhere);
    await eventually(async () => expect(await outcomes(tooLarge)).toHaveLength(1));
    const { rows } = await db.query<{ count: number }>(
      "select count(*)::int as count from delivery where state = 'waiting' and email_id is not null",
    );
    expect(rows).toEqual([{ count: 101 }]);
  });
});
