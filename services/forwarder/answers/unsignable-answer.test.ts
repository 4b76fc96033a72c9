import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { AnswerAcceptedSchema, Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

const real = "real@inbox.example";
const contact = "ann@shop.example";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;

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
  await db.query("truncate delivery, answer, notice, outbox cascade");
});
afterAll(() => db.dispose());

async function sendFrom(proxyAddress: string): Promise<void> {
  const rawId = newId();
  const header = [`From: ${real}`, "Date: Mon, 2 Nov 2026 10:00:00 +0000", "Message-ID: <a@b.example>"];
  forwarder.raw.set(rawId, Buffer.from([...header, "", "Hi", ""].join("\r\n")));
  await forwarder.consume(
    topics.answerAccepted,
    create(AnswerAcceptedSchema, {
      emailId: newId(),
      rawId,
      ownerId: newId(),
      bindingId: newId(),
      author: real,
      hopCount: 1,
      direction: Direction.ANSWER,
      proxyAddress,
      realAddresses: [real],
      receivedAt: timestampFromDate(new Date()),
      recipients: [{ contactId: newId(), address: contact, reverseAddress: "re+x@own.example" }],
    }),
  );
}

test("an answer from a domain whose keys are gone is deferred, shown so, and given up by the schedule with a report to its author", async () => {
  await sendFrom("me@own.example");
  const [report] = await sink.received(1);
  expect(report).toMatchObject({ sender: "", recipient: real });
  const response = expect.stringMatching(/^451 4\.7\.5 no DKIM record of own\.example is found/);
  await eventually(async () => {
    expect(await forwarder.published(topics.deliveryDeferred)).toMatchObject([{ response }, { response }]);
    expect(await forwarder.published(topics.deliverySettled)).toMatchObject([{ response, attemptCount: 3 }]);
  });
  expect(sink.messages.map(({ recipient }) => recipient)).not.toContain(contact);
  // Nothing left: it says nothing of who sends (see pauseSending).
  expect((await db.query("select from sent_count")).rows).toEqual([]);
});
