import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { AccountClosedSchema } from "../../../proto/gen/postern/auth/v1/account_closed_pb.js";
import {
  type AnswerAccepted,
  AnswerAcceptedSchema,
  Direction,
} from "../../../proto/gen/postern/ingress/v1/answer_accepted_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { SinkRefusal, SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

const real = "real@inbox.example";
const contact = "ann@shop.example";
const [token, other] = ["aaaabbbbccccddddeeeeffff22", "bob@else.example"];

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
/** What the server says to the next messages, each once; 250 when there is nothing left. */
let refusals: SinkRefusal[];
/** The server answers the message to the contact no sooner. */
let slow: PromiseWithResolvers<void> | undefined;
/** Resolves once the server has that message. */
let arrived: PromiseWithResolvers<void>;

beforeAll(async () => {
  db = await forwarderDatabase();
});
beforeEach(async () => {
  [refusals, slow, arrived] = [[], undefined, Promise.withResolvers()];
  sink = await SmtpSink.start({
    async atMessage({ recipient }) {
      if (recipient !== contact) return;
      arrived.resolve();
      await slow?.promise;
      const refusal = refusals.shift();
      if (refusal) throw refusal;
    },
  });
  forwarder = await start();
});
afterEach(async () => {
  await forwarder.stop();
  await sink.stop();
  await db.query("truncate delivery, answer, notice, outbox cascade");
});
afterAll(() => db.dispose());

const start = () =>
  ForwarderUnderTest.start(db, { OUTBOUND: sink.url, FORWARD_RETRY_S: "0.05,0.05", FORWARD_LEASE_S: "2" });

/** An answer to one contact that quotes another one's reverse address. */
async function sent(): Promise<AnswerAccepted> {
  const answer = create(AnswerAcceptedSchema, {
    ...{ emailId: newId(), rawId: newId(), ownerId: newId(), bindingId: newId(), author: real, hopCount: 1 },
    direction: Direction.ANSWER,
    proxyAddress: "proxy@postern.localhost",
    realAddresses: [real],
    receivedAt: timestampFromDate(new Date()),
    recipients: [{ contactId: newId(), address: contact, reverseAddress: "re+x@postern.localhost" }],
  });
  const header = [`From: ${real}`, "Date: Mon, 2 Nov 2026 10:00:00 +0000", "Message-ID: <a@b.example>"];
  const body = ["", "Yes.", "", `> From: <re+${token}@postern.localhost>`, `> To: ${real}`, "> Do you?", ""];
  forwarder.raw.set(answer.rawId, Buffer.from([...header, ...body].join("\r\n")));
  await forwarder.consume(topics.answerAccepted, answer);
  return answer;
}

async function stateOf({ emailId }: AnswerAccepted): Promise<string | undefined> {
  const { rows } = await db.query<{ state: string }>("select state from delivery where email_id = $1", [emailId]);
  return rows[0]?.state;
}

test("what leaves is what was searched, though the contact that it quotes was removed with its binding before the next attempt", async () => {
  forwarder.peers.contacts.set(token, other);
  refusals = [new SinkRefusal(451, "4.7.1 Greylisted")];
  slow = Promise.withResolvers();
  const answer = await sent();
  await arrived.promise;
  // Another process makes the next attempt, which has nothing of what this one remembers.
  const { raw } = forwarder;
  const stopped = forwarder.stop();
  slow.resolve();
  await stopped;
  forwarder = await start();
  for (const [id, bytes] of raw) forwarder.raw.set(id, bytes);
  const [message] = await sink.received(1);
  const text = String(message?.bytes);
  expect(text).toContain(`> From: <${other}>`);
  expect(text).toContain("> To: proxy@postern.localhost");
  for (const secret of [real, token]) expect(text).not.toContain(secret);
  await eventually(async () => expect(await stateOf(answer)).toBe("delivered"));
});

test("what a slow server refuses in the end is reported to its author, though its binding was removed meanwhile", async () => {
  refusals = [new SinkRefusal(550, "5.1.1 No such user")];
  forwarder.peers.contacts.set(token, other);
  slow = Promise.withResolvers();
  const answer = await sent();
  await arrived.promise;
  forwarder.peers.contacts.clear();
  forwarder.peers.contactFault = "removed";
  slow.resolve();
  const [report] = await sink.received(1);
  expect(report).toMatchObject({ sender: "", recipient: real });
  expect(String(report?.bytes)).toContain("re+x@postern.localhost");
  expect(await stateOf(answer)).toBe("given_up");
});

test.each([250, 550])("nothing is left of an answer that is answered %d after its account was closed", async (code) => {
  if (code === 550) refusals = [new SinkRefusal(550, "5.1.1 No such user")];
  forwarder.peers.contacts.set(token, other);
  slow = Promise.withResolvers();
  const { ownerId } = await sent();
  await arrived.promise;
  await forwarder.consume(topics.accountClosed, create(AccountClosedSchema, { accountId: ownerId }));
  slow.resolve();
  // The attempt ends, and its result is recorded.
  await forwarder.stop();
  for (const table of ["delivery", "answer", "notice"])
    expect((await db.query(`select from ${table}`)).rowCount).toBe(0);
  forwarder = await start();
});

test("an answer that is scheduled while its account is closed goes with it", async () => {
  const [emailId, ownerId] = [newId(), newId()];
  await db.query(
    "insert into answer (email_id, owner_id, content, trace, received_at, state, due_at) values ($1, $2, '{}', '{}', now(), 'sent', 'infinity')",
    [emailId, ownerId],
  );
  const closed = await db.tx(async (tx) => {
    await tx.query("update answer set state = 'sent' where email_id = $1", [emailId]);
    const closing = forwarder.consume(topics.accountClosed, create(AccountClosedSchema, { accountId: ownerId }));
    await eventually(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      expect((await db.query(waiting)).rows).toHaveLength(1);
    });
    await tx.query(
      `insert into delivery (id, email_id, owner_id, binding_id, address_id, address, domain, organisational_domain, size_bytes, received_at,
              proxy_address, smtp_utf8, eight_bit_mime, trace, is_answer, due_at)
       values ($1, $2, $3, $1, $1, $4, 'shop.example', 'shop.example', 1, now(), 'proxy@postern.localhost', false, false, '{}', true, 'infinity')`,
      [newId(), emailId, ownerId, contact],
    );
    return { closing };
  });
  await closed.closing;
  expect((await db.query("select from delivery")).rowCount).toBe(0);
});
