import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { forwarderDatabase } from "../test-support/database.ts";
import { ForwarderUnderTest } from "../test-support/forwarder.ts";

let db: TestDatabase;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  db = await forwarderDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => db.dispose());

const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\nhello\r\n";

test("mail to a destination that is held back waits without an attempt until it is let go, and no other mail waits for it", async () => {
  const next = await SmtpSink.start({});
  closing.push(() => next.stop());
  const forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: next.url });
  closing.push(() => forwarder.stop());
  const { client } = forwarder.service;
  await client.pauseDestination({ domain: "held.example" });
  const { ownerId, emailId } = await forwarder.accept(message, ["a@held.example", "b@free.example"]);
  expect(await next.received(1)).toMatchObject([{ recipient: "b@free.example" }]);
  await client.retryWaiting({ ids: null, domain: "held.example" });
  expect(await client.deliveries({ ownerId, emailIds: [emailId] })).toContainEqual(
    expect.objectContaining({ realAddress: "a@held.example", state: "waiting", attempts: [] }),
  );
  await client.resumeDestination({ domain: "held.example" });
  expect(await next.received(2)).toMatchObject([{ recipient: "b@free.example" }, { recipient: "a@held.example" }]);
});
