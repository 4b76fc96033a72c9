import { expect, test } from "@jest/globals";
import { contentLimits } from "../limits.ts";
import type { Bodies } from "./bodies.ts";
import { buildPayload, type PayloadSource } from "./payload.ts";

type Email = PayloadSource & Bodies;

const received = (given: Partial<Email>): Email => ({
  receivedAt: new Date("2026-01-05T10:00:00.900Z"),
  sender: "bounce@lists.example.org",
  recipient: "Shop@postern.localhost",
  headers: [],
  text: null,
  html: null,
  attachments: [],
  ...given,
});

const limits = contentLimits(10);
const payloadOf = (email: Email) => buildPayload(email, limits).payload;

test("speaks the inbound-parse dialect", () => {
  const payload = payloadOf(
    received({
      headers: [
        ["Received", "first"],
        ["RECEIVED", "second"],
        ["MIME-Version", "1.0"],
        ["Message-ID", "<1@example.org>"],
        ["From", "Ann <ann@example.org>"],
        ["to", "shop@postern.localhost"],
        ["Subject", "Re: Q"],
        ["recipient", "forged"],
      ],
      text: "Yes.\n\nOn Mon, 5 Jan 2026 at 09:00, Bob wrote:\n> Q\n\n-- \nAnn",
    }),
  );
  expect(payload).toEqual({
    Received: "second",
    "Mime-Version": "1.0",
    "Message-Id": "<1@example.org>",
    From: "Ann <ann@example.org>",
    To: "shop@postern.localhost",
    Subject: "Re: Q",
    Recipient: "forged",
    Sender: "bounce@lists.example.org",
    from: "Ann <ann@example.org>",
    subject: "Re: Q",
    recipient: "Shop@postern.localhost",
    sender: "bounce@lists.example.org",
    domain: "postern.localhost",
    timestamp: 1_767_607_200,
    "body-plain": "Yes.\n\nOn Mon, 5 Jan 2026 at 09:00, Bob wrote:\n> Q\n\n-- \nAnn",
    "body-html": "<p>Yes.</p>\n<p>On Mon, 5 Jan 2026 at 09:00, Bob wrote:<br>\n&gt; Q</p>\n<p>-- <br>\nAnn</p>",
    "stripped-text": "Yes.",
    "stripped-html": "<p>Yes.</p>",
    "stripped-signature": "Ann",
    "message-headers":
      '[["Received","first"],["RECEIVED","second"],["MIME-Version","1.0"],["Message-ID","<1@example.org>"],["From","Ann <ann@example.org>"],["to","shop@postern.localhost"],["Subject","Re: Q"],["recipient","forged"]]',
    attachments: null,
  });
});

test("every field that clients rely on is there for a message that has nothing", () => {
  expect(payloadOf(received({ sender: "" }))).toMatchObject({
    To: "",
    From: "",
    Subject: "",
    Sender: "",
    "body-plain": "",
    "body-html": "",
    "stripped-text": "",
    "stripped-html": "",
    "stripped-signature": "",
    "message-headers": "[]",
    attachments: null,
  });
});

test("text is made from HTML, and stripped as HTML is", () => {
  const html = '<p>Yes.</p><div class="gmail_quote">On Monday Ann wrote:<blockquote>Q</blockquote></div>';
  expect(payloadOf(received({ html }))).toMatchObject({
    "body-plain": "Yes.\n\nOn Monday Ann wrote:\n\nQ",
    "body-html": html,
    "stripped-text": "Yes.",
    "stripped-html": "<p>Yes.</p>",
  });
});

test("Sender is the header's, else MAIL FROM, else From", () => {
  expect(payloadOf(received({ headers: [["sender", "list@example.org"]] }))["Sender"]).toBe("list@example.org");
  expect(payloadOf(received({ sender: "", headers: [["From", "ann@example.org"]] }))["Sender"]).toBe("ann@example.org");
});

test("attachments are listed as REST lists them, and no header can be a prototype", () => {
  const url = "http://127.0.0.1/api/v1/attachments/1/0";
  const attachment = { filename: "a.pdf", mime: "application/pdf", sizeBytes: 3, contentId: null, url };
  const payload = payloadOf(received({ attachments: [attachment], headers: [["__proto__", "x"]] }));
  expect(payload["attachments"]).toEqual([
    { filename: "a.pdf", mime: "application/pdf", size: 3, content_id: null, url },
  ]);
  expect(Object.hasOwn(payload, "__proto__")).toBe(false);
});
