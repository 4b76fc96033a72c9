import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { timestamp } from "../support/documents.ts";
import { browsableEmail, emailsPath, type ReceivedEmail } from "../support/emails.ts";
import { messageWithAttachment, plainMessage } from "../support/messages.ts";
import { acceptsRequestVariants, answersHead } from "../support/request-variants.ts";

let anna: TestAccount;
let plain: ReceivedEmail;
beforeAll(async () => {
  anna = await newAccount("anna");
  plain = await browsableEmail(anna, plainMessage);
});

const detailsOf = ({ emailId, binding }: ReceivedEmail, subject: string, payload: unknown, attachments: unknown[]) => ({
  data: {
    type: "received_emails_details",
    id: emailId,
    attributes: {
      recipient_email: binding.proxyAddress,
      sender_email: "ann@example.com",
      subject,
      payload,
      attachments,
      is_truncated: false,
      is_processed: true,
      created_at: timestamp,
      updated_at: timestamp,
    },
  },
});

const envelopeOf = ({ binding }: ReceivedEmail) => ({
  Sender: "ann@example.com",
  sender: "ann@example.com",
  recipient: binding.proxyAddress,
  domain: "postern.localhost",
  timestamp: expect.any(Number),
});

const plainDetails = () =>
  detailsOf(
    plain,
    "Hello",
    {
      ...envelopeOf(plain),
      From: "Ann <ann@example.com>",
      To: "Bert <bert@example.org>",
      Subject: "Hello",
      from: "Ann <ann@example.com>",
      subject: "Hello",
      "body-plain": "Is anybody there?\n",
      "body-html": "<p>Is anybody there?</p>",
      "stripped-text": "Is anybody there?",
      "stripped-html": "<p>Is anybody there?</p>",
      "stripped-signature": "",
      "message-headers": '[["From","Ann <ann@example.com>"],["To","Bert <bert@example.org>"],["Subject","Hello"]]',
      attachments: null,
    },
    [],
  );

acceptsRequestVariants(
  () => anna,
  () => ({ method: "GET", path: `${emailsPath}/${plain.emailId}` }),
  ({ status, body }) => {
    expect(status).toBe(200);
    expect(body).toEqual(plainDetails());
  },
);

answersHead(
  () => anna,
  () => `${emailsPath}/${plain.emailId}`,
);

test("with an attachment, a repeated header and names beyond ASCII", async () => {
  const email = await browsableEmail(anna, `X-Note: one\nx-note: two\n${messageWithAttachment}`);
  const { status, body } = await anna.ask("GET", `${emailsPath}/${email.emailId}`);
  expect(status).toBe(200);
  const attachment = {
    filename: "Übersicht (neu).bin",
    mime: "application/x-note",
    size: 9,
    content_id: "note@example.com",
    url: expect.stringMatching(
      new RegExp(
        `^http://127\\.0\\.0\\.1:\\d+/api/v1/attachments/${email.emailId}/0\\?expires=\\d+&signature=[\\w-]+$`,
      ),
    ),
  };
  const payload = {
    ...envelopeOf(email),
    "X-Note": "two",
    From: "Ann <ann@example.com>",
    To: "Bert <bert@example.org>",
    Subject: "Grüße 🎉",
    "Mime-Version": "1.0",
    "Content-Type": "multipart/mixed; boundary=limit",
    from: "Ann <ann@example.com>",
    subject: "Grüße 🎉",
    "body-plain": "See below.",
    "body-html": "<p>See below.</p>",
    "stripped-text": "See below.",
    "stripped-html": "<p>See below.</p>",
    "stripped-signature": "",
    "message-headers": JSON.stringify([
      ["X-Note", "one"],
      ["x-note", "two"],
      ["From", "Ann <ann@example.com>"],
      ["To", "Bert <bert@example.org>"],
      ["Subject", "Grüße 🎉"],
      ["MIME-Version", "1.0"],
      ["Content-Type", "multipart/mixed; boundary=limit"],
    ]),
    attachments: [attachment],
  };
  expect(body).toEqual(detailsOf(email, "Grüße 🎉", payload, [attachment]));
});
