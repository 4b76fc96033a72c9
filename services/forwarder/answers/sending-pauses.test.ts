import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AnswerAcceptedSchema, Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { SinkRefusal, type SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { ForwarderUnderTest } from "../test-support/forwarder.ts";
import { startForwarder } from "../test-support/start-forwarder.ts";

const ownerId = newId();
const raw = Buffer.from(
  "From: real@inbox.example\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nMessage-ID: <a@b.example>\r\n\r\nHi\r\n",
);

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, sink, forwarder, stop } = await startForwarder({
    sinkOptions: {
      atRecipient(recipient) {
        if (recipient.startsWith("gone")) throw new SinkRefusal(550, "5.1.1 no such user");
      },
    },
  }));
});
afterAll(() => stop());

async function send(address: string): Promise<void> {
  const rawId = newId();
  forwarder.raw.set(rawId, raw);
  await forwarder.consume(
    topics.answerAccepted,
    create(AnswerAcceptedSchema, {
      emailId: newId(),
      rawId,
      ownerId,
      bindingId: newId(),
      author: "real@inbox.example",
      hopCount: 1,
      direction: Direction.ANSWER,
      proxyAddress: "proxy@postern.localhost",
      realAddresses: ["real@inbox.example"],
      receivedAt: timestampFromDate(new Date()),
      recipients: [{ contactId: newId(), address, reverseAddress: "re+x@postern.localhost" }],
    }),
  );
}

const states = async () =>
  (
    await db.query<{ state: string; count: number }>(
      "select state, count(*)::int as count from delivery where is_answer group by state",
    )
  ).rows;

test("more than 5 % of 50 failed: what the account sends waits, both are told, and it goes on once it is resumed", async () => {
  for (let at = 0; at < 47; at += 1) await send(`c${at}@shop.example`);
  for (let at = 0; at < 3; at += 1) await send(`gone${at}@shop.example`);
  await eventually(async () => {
    const { rows } = await db.query("select sum(settled)::int as settled, sum(failed)::int as failed from sent_count");
    expect(rows).toEqual([{ settled: 50, failed: 3 }]);
  });
  const task = forwarder.service.parts.tasks?.find(({ name }) => name === "sending-pauses");
  (task as PollingTask).wake();
  await eventually(async () => expect(await forwarder.service.client.pausedSending({})).toHaveLength(1));
  const notices = await forwarder.published(topics.noticeRequested);
  expect(notices.map(({ recipient }) => recipient).sort()).toEqual([
    "owner@home.example",
    "postmaster@postern.localhost",
  ]);
  await send("late@shop.example");
  await eventually(async () => expect(await states()).toContainEqual({ state: "waiting", count: 1 }));
  await forwarder.service.client.resumeSending({ ownerId });
  await eventually(async () => expect((await states()).map(({ state }) => state)).not.toContain("waiting"));
  expect(sink.messages.map(({ recipient }) => recipient)).toContain("late@shop.example");
  await expect(forwarder.service.client.resumeSending({ ownerId })).rejects.toMatchObject({ kind: "NotFound" });
});
