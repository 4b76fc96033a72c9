import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { AnswerAcceptedSchema, Direction } from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import type { ForwarderUnderTest } from "../test-support/forwarder.ts";
import { startForwarder } from "../test-support/start-forwarder.ts";

const real = "real@inbox.example";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, sink, forwarder, stop } = await startForwarder({ environment: { FORWARD_LEASE_S: "2" } }));
});
afterAll(() => stop());

async function answer(
  body: string,
  differences: { sendsEncrypted?: boolean; direction?: Direction } = {},
): Promise<string> {
  const [emailId, rawId] = [newId(), newId()];
  const header = [`From: ${real}`, "Date: Mon, 2 Nov 2026 10:00:00 +0000", `Message-ID: <${emailId}@b.example>`];
  forwarder.raw.set(rawId, Buffer.from([...header, body].join("\r\n")));
  await forwarder.consume(
    topics.answerAccepted,
    create(AnswerAcceptedSchema, {
      emailId,
      rawId,
      ownerId: newId(),
      bindingId: newId(),
      author: real,
      hopCount: 1,
      direction: Direction.ANSWER,
      ...differences,
      proxyAddress: "proxy@postern.localhost",
      realAddresses: [real],
      receivedAt: timestampFromDate(new Date()),
      recipients: [
        { contactId: newId(), address: `${emailId}@shop.example`, reverseAddress: "re+x@postern.localhost" },
      ],
    }),
  );
  return emailId;
}

/** Its state, and the days that it still has. */
async function stateOf(emailId: string): Promise<{ state: string; days: number } | undefined> {
  const { rows } = await db.query<{ state: string; days: number }>(
    "select state, case when due_at < 'infinity' then extract(epoch from due_at - now()) / 86400 else 0 end::float8 as days from answer where email_id = $1",
    [emailId],
  );
  return rows[0];
}

async function held(emailId: string): Promise<string> {
  await eventually(async () => expect((await stateOf(emailId))?.state).toBe("held"));
  const notices = await forwarder.published(topics.noticeRequested);
  const [, token = ""] = /\/answers\/([\w-]+)/.exec(notices.at(-1)?.text ?? "") ?? [];
  return token;
}

test("a held answer that nobody confirms within seven days ends: its author is told, and the link leads nowhere", async () => {
  const emailId = await answer(`\r\nWrite to ${real}.\r\n`);
  const token = await held(emailId);
  expect((await stateOf(emailId))?.days).toBeCloseTo(7, 1);
  expect(await forwarder.service.client.describeHeldAnswer({ token })).toMatchObject({
    places: ["in the text that you wrote"],
  });
  await db.query("update answer set due_at = now() where email_id = $1", [emailId]);
  await eventually(async () => expect((await stateOf(emailId))?.state).toBe("expired"));
  const ended = (await forwarder.published(topics.deliverySettled)).filter((each) => each.emailId === emailId);
  expect(ended).toMatchObject([{ outcome: Outcome.CANCELLED, response: "held for 7 days and not confirmed" }]);
  expect((await forwarder.published(topics.noticeRequested)).at(-1)).toMatchObject({
    recipient: real,
    subject: expect.stringContaining("Your answer was not sent"),
  });
  await expect(forwarder.service.client.sendHeldAnswer({ token })).rejects.toMatchObject({ kind: "NotFound" });
});

test("an encrypted answer is held, and leaves where its binding says so", async () => {
  const encrypted = 'Content-Type: multipart/encrypted; boundary="e"\r\n\r\n--e\r\n\r\nsecret\r\n--e--\r\n';
  await held(await answer(encrypted));
  const sent = await answer(encrypted, { sendsEncrypted: true });
  await eventually(() => {
    expect(sink.messages.map(({ recipient }) => recipient)).toEqual([`${sent}@shop.example`]);
  });
});

test.each([
  ["blocked", "A contact that this answer goes to is blocked, so the answer is not sent."],
  ["answers-off", "Answering from this answer's proxy address is switched off, so the answer is not sent."],
] as const)(
  "a held answer whose contact is %s since is not sent, and its link says why until that has changed",
  async (fault, publicMessage) => {
    const emailId = await answer(`\r\nWrite to ${real}.\r\n`);
    const token = await held(emailId);
    const { describeHeldAnswer, sendHeldAnswer } = forwarder.service.client;
    forwarder.peers.contactFault = fault;
    for (const asked of [describeHeldAnswer({ token }), sendHeldAnswer({ token })])
      await expect(asked).rejects.toMatchObject({ kind: "SendingNotAllowed", publicMessage });
    expect((await stateOf(emailId))?.state).toBe("held");
    forwarder.peers.contactFault = undefined;
    await sendHeldAnswer({ token });
    await eventually(async () => expect((await stateOf(emailId))?.state).toBe("sent"));
  },
);

test("a held answer whose contact was removed since is not sent, and its link says so", async () => {
  const emailId = await answer(`\r\nWrite to ${real}.\r\n`);
  const token = await held(emailId);
  const { describeHeldAnswer, sendHeldAnswer } = forwarder.service.client;
  forwarder.peers.contactFault = "removed";
  const refusal = {
    kind: "Gone",
    publicMessage: "A contact that this answer goes to, or its proxy address, was removed, so the answer is not sent.",
  };
  for (const asked of [describeHeldAnswer({ token }), sendHeldAnswer({ token })])
    await expect(asked).rejects.toMatchObject(refusal);
  forwarder.peers.contactFault = undefined;
  expect((await stateOf(emailId))?.state).toBe("held");
});

test("mail that its owner composed and that was held is sent whether or not its proxy address answers", async () => {
  const emailId = await answer(`\r\nWrite to ${real}.\r\n`, { direction: Direction.SEND });
  const token = await held(emailId);
  forwarder.peers.contactFault = "answers-off";
  await forwarder.service.client.sendHeldAnswer({ token });
  forwarder.peers.contactFault = undefined;
  await eventually(async () => expect((await stateOf(emailId))?.state).toBe("sent"));
});
