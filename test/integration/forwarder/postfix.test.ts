import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { type PostfixServer, startPostfix } from "../../../scripts/peers/postfix.ts";
import { forwarderDatabase } from "../../../services/forwarder/test-support/database.ts";
import { ForwarderUnderTest } from "../../../services/forwarder/test-support/forwarder.ts";
import { eventually } from "../../support/eventually.ts";
import { SinkRefusal, SmtpSink } from "../../support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../support/peers/database.ts";
import { peerInstallLimitMs } from "../../support/run/peer-install-limit.ts";

let db: TestDatabase;
/** What Postfix passes mail on to: recipients, and where reverse paths of ours lead. */
let beyond: SmtpSink;
let postfix: PostfixServer;
let forwarder: ForwarderUnderTest;

beforeAll(async () => {
  db = await forwarderDatabase();
  beyond = await SmtpSink.start({
    atRecipient: (recipient) => {
      if (recipient.endsWith("@moved.example")) throw new SinkRefusal(550, "5.1.6 the mailbox has moved");
    },
  });
  postfix = await startPostfix([
    `relayhost = [127.0.0.1]:${beyond.port}`,
    // Nothing is to be added to what has no Date of its own.
    "local_header_rewrite_clients =",
    "relay_domains = lives.example, moved.example",
  ]);
  forwarder = await ForwarderUnderTest.start(db, { OUTBOUND: `smtp://127.0.0.1:${postfix.smtpPort}` });
}, peerInstallLimitMs);
afterAll(async () => {
  await forwarder?.stop();
  await postfix?.stop();
  await beyond?.stop();
  await db?.dispose();
});

const authentication = { authorDomain: "sender.example", policy: "none", spfAligned: true, spf: "pass", arc: "none" };
const message = "From: Author <author@sender.example>\r\nSubject: hello\r\n\r\n.line\r\n\r\nlast\r\n";

test("a real Postfix passes on what it is handed, octet for octet", async () => {
  await forwarder.accept(message, ["real@lives.example"], { authentication });
  const sunk = await eventually(() => {
    const found = beyond.messages.find(({ recipient }) => recipient === "real@lives.example");
    if (!found) throw new Error("not there yet");
    return found;
  });
  expect(sunk.bytes.toString("latin1").endsWith(message)).toBe(true);
});

test("the bounce that it sends comes to the reverse path, and is read, reported and kept from the author", async () => {
  const { emailId } = await forwarder.accept(message, ["real@moved.example"], { authentication });
  const bounce = await eventually(() => {
    const found = beyond.messages.find(({ recipient }) => recipient.startsWith("bounce+"));
    if (!found) throw new Error("not there yet");
    return found;
  });
  expect(bounce.sender).toBe("");
  await forwarder.returned(bounce.bytes, bounce.recipient);
  const settled = await eventually(async () => {
    const all = (await forwarder.published(topics.deliverySettled)).filter((event) => event.emailId === emailId);
    expect(all).toHaveLength(2);
    return all;
  });
  expect(settled).toMatchObject([
    { outcome: Outcome.DELIVERED },
    { outcome: Outcome.BOUNCED, response: expect.stringContaining("5.1.6") },
  ]);
  const report = await eventually(() => {
    const found = beyond.messages.find(({ recipient }) => recipient === "author@sender.example");
    if (!found) throw new Error("not there yet");
    return found;
  });
  expect(report.sender).toBe("");
  const text = report.bytes.toString("utf8");
  expect(text).toContain("Status: 5.1.6");
  expect(text).not.toMatch(/moved\.example|real@/);
});
