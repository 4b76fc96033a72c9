import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\nhello\r\n";
const authentication = { authorDomain: "sender.example", dmarc: "pass", spfAligned: true, spf: "pass", arc: "none" };

beforeAll(async () => {
  db = await forwarderDatabase();
  sink = await SmtpSink.start({});
});
afterEach(async () => {
  await forwarder.stop();
  sink.messages.splice(0);
  await db.query("truncate delivery, notice, outbox, account_switch, author_report cascade");
});
afterAll(async () => {
  await sink?.stop();
  await db?.dispose();
});

const recipients = () => sink.messages.map(({ recipient }) => recipient).sort();

async function start(retries: string): Promise<void> {
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: sink.url, FORWARD_RETRY_S: retries });
}

test("mail of a disabled account is held, that of others goes; enabled again, it is sent once", async () => {
  await start("60,60");
  const [held, other] = [newId(), newId()];
  await forwarder.disable(held);
  await forwarder.accept(message, ["held@x.example"], { ownerId: held });
  await forwarder.accept(message, ["other@x.example"], { ownerId: other });
  await eventually(() => expect(recipients()).toEqual(["other@x.example"]));
  const waiting = "select state, worker_id, attempts, due_at > now() as is_put_off from delivery where owner_id = $1";
  await eventually(async () => {
    const { rows } = await db.query(waiting, [held]);
    expect(rows).toEqual([{ state: "waiting", workerId: null, attempts: [], isPutOff: true }]);
  });
  await forwarder.enable(held);
  await eventually(() => expect(recipients()).toEqual(["held@x.example", "other@x.example"]));
});

test("what is held is postponed, so that a claim goes through none of it, however much there is", async () => {
  await start("3600");
  const held = newId();
  await forwarder.disable(held);
  const addresses = Array.from({ length: 300 }, (_, count) => `held-${count}@x.example`);
  await forwarder.accept(message, addresses, { ownerId: held });
  const isRead = "select count(*)::int as count from delivery where state = 'waiting' and due_at <= now()";
  await eventually(async () => expect((await db.query(isRead)).rows).toEqual([{ count: 0 }]));
  expect(recipients()).toEqual([]);
  await forwarder.enable(held);
  await eventually(() => expect(recipients()).toHaveLength(300));
});

test("of disabling and enabling the later one holds, in whatever order they are heard of", async () => {
  await start("60,60");
  const account = newId();
  await forwarder.enable(account);
  await db.query("update account_switch set enabled_at = now() + interval '1 minute'");
  await forwarder.disable(account);
  await forwarder.accept(message, ["real@x.example"], { ownerId: account });
  await eventually(() => expect(recipients()).toEqual(["real@x.example"]));
});

test("after the schedule it is given up and its author told, without a word of why; nothing was signed or sent", async () => {
  await start("0.2");
  const account = newId();
  await forwarder.disable(account);
  await forwarder.accept(message, ["held@x.example"], { ownerId: account, authentication });
  await eventually(() => expect(recipients()).toEqual(["author@sender.example"]));
  const report = sink.messages[0]?.bytes.toString() ?? "";
  expect(report).toContain("Status: 5.4.7\r\n");
  expect(report).not.toMatch(/disabled|held@|x\.example/);
  expect(await forwarder.published(topics.deliverySettled)).toMatchObject([
    { outcome: Outcome.GIVEN_UP, reason: "expired", response: expect.stringContaining("disabled") },
  ]);
});
