import { afterAll, expect, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { parseFields } from "../../message/header/fields.ts";
import { newId } from "../../platform/ids.ts";
import { createLimits } from "../../platform/security/rate-limits.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { createMetrics } from "../../platform/telemetry/metrics.ts";
import { answerContent } from "../test-support/answer.ts";
import { forwardDelivery } from "../test-support/delivery.ts";
import { AuthorReports } from "./author-reports.ts";
import { describeOriginal } from "./original.ts";

const limits = await createLimits(undefined, silentLogger);
afterAll(() => limits.close());

const reports = new AuthorReports({
  serviceName: "postern",
  serviceDomain: "postern.example",
  limits,
  secrets: new Secrets("a secret key of the tests"),
  metrics: createMetrics(),
});
const authentication = {
  authorDomain: "sender.example",
  policy: "",
  isDkimAligned: false,
  isSpfAligned: true,
  spf: "pass",
  arc: "none",
};
const failure = { status: "5.1.1", diagnostic: "550 5.1.1 no", isAnswerable: true, original: undefined };

test("of however many failures, an author is told of 20 a day, however the address is written; others are told of theirs", async () => {
  const draft = (envelopeSender: string) => reports.draft(forwardDelivery({ envelopeSender, authentication }), failure);
  const drafts: unknown[] = [];
  for (let count = 0; count < 30; count++)
    drafts.push(await draft(count % 2 === 0 ? "author@sender.example" : "Author@Sender.example"));
  expect(drafts.filter((each) => each !== undefined)).toHaveLength(20);
  expect(await draft("another@sender.example")).toBeDefined();
});

test.each([
  ["binding", "bindingId", 50],
  ["account", "ownerId", 200],
] as const)("of the failures of one %s so many authors are told a day, and no more", async (_, key, most) => {
  const id = newId();
  const drafts: unknown[] = [];
  for (let count = 0; count < most + 10; count++)
    drafts.push(
      await reports.draft(
        forwardDelivery({ [key]: id, envelopeSender: `author${count}@${key}.sender.example`, authentication }),
        failure,
      ),
    );
  expect(drafts.filter((each) => each !== undefined)).toHaveLength(most);
});

test("what the limit of a binding refuses uses up nothing of its author's, and what the author's refuses nothing of the binding's", async () => {
  const bindingId = newId();
  const draft = (differences: { bindingId?: string; envelopeSender: string }) =>
    reports.draft(forwardDelivery({ ...differences, authentication }), failure);
  const author = "patient@sender.example";
  // The author has 20 reports, and asks for 30 by way of the binding.
  for (let count = 0; count < 20; count++) expect(await draft({ envelopeSender: author })).toBeDefined();
  for (let count = 0; count < 30; count++) expect(await draft({ bindingId, envelopeSender: author })).toBeUndefined();
  for (let count = 0; count < 50; count++)
    expect(await draft({ bindingId, envelopeSender: `one${count}@sender.example` })).toBeDefined();
  // The binding has its 50.
  const other = "other@sender.example";
  for (let count = 0; count < 30; count++) expect(await draft({ bindingId, envelopeSender: other })).toBeUndefined();
  expect(await draft({ envelopeSender: other })).toBeDefined();
});

test("a report does not tell whether an author who writes addresses into the subject has guessed the real one", async () => {
  const report = async (guess: string) => {
    const header = `From: guesser@sender.example\r\nMessage-ID: <${guess}>\r\nSubject: Hello ${guess}\r\n`;
    const original = describeOriginal(parseFields(Buffer.from(header)));
    const delivery = forwardDelivery({
      address: "owner@home.example",
      envelopeSender: "guesser@sender.example",
      authentication,
    });
    const draft = await reports.draft(delivery, { ...failure, original });
    return draft?.message.toString() ?? "";
  };
  for (const guess of ["other@home.example", "owner@home.example"]) {
    const text = await report(guess);
    expect(text).toContain(`Subject: Hello ${guess}`);
    expect(text).toContain(`In-Reply-To: <${guess}>`);
  }
});

test("what comes back of a message to several contacts is told of each of its deliveries", () => {
  const recipients = ["ann", "bob"].map((name) => ({
    contactId: newId(),
    address: `${name}@shop.example`,
    reverseAddress: `re+${name}@proxy.example`,
  }));
  const answer = { ...answerContent, recipients };
  for (const { contactId, reverseAddress } of recipients) {
    const delivery = forwardDelivery({ addressId: contactId });
    const draft = reports.draftForAnswer({ ...delivery, kind: "answer", answer }, failure);
    expect(draft).toMatchObject({ author: answerContent.author, toldOf: delivery.id });
    expect(draft?.message.toString()).toContain(`Final-Recipient: rfc822; ${reverseAddress}`);
  }
});
