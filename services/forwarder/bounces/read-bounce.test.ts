import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readBounce } from "./read-bounce.ts";

const crlf = (text: string) => Buffer.from(text.replaceAll("\n", "\r\n"));

function report(groups: string, { encoding = "7bit", type = "message/delivery-status" } = {}): Buffer {
  const content = encoding === "base64" ? Buffer.from(groups.replaceAll("\n", "\r\n")).toString("base64") : groups;
  return crlf(`From: MAILER-DAEMON@mx.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="=_a/b"

This is a MIME-encapsulated message.

--=_a/b
Content-Type: text/plain

I'm sorry: 5.9.9 is what the text says.

--=_a/b
Content-Type: ${type}
Content-Transfer-Encoding: ${encoding}

${content}
--=_a/b
Content-Type: message/rfc822

Subject: the original

--=_a/b--
`);
}

const perMessage = "Reporting-MTA: dns; mx.example\nArrival-Date: Fri, 20 Nov 2026 10:00:00 +0000\n\n";
const failed =
  "Final-Recipient: rfc822; real@x.example\nAction: failed\nStatus: 5.1.1 (bad mailbox)\nRemote-MTA: dns; mx.x.example\nDiagnostic-Code: smtp; 550 5.1.1 <real@x.example>:\n    no such user\n";

test.each([
  ["a report", report(perMessage + failed), { kind: "failed", response: "550 5.1.1 <real@x.example>: no such user" }],
  [
    "one with a generic status, by the server's own code and words",
    report(`${perMessage}Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 5.1.1 unknown\n`),
    { kind: "failed", response: "550 5.1.1 unknown" },
  ],
  [
    "one with a generic status, by the server's own reply code",
    report(`${perMessage}Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 554 spam\n`),
    { kind: "failed", response: "554 spam" },
  ],
  [
    "one with another status than the server's",
    report(`${perMessage}Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.7.1 blocked\n`),
    { kind: "failed", response: "550 5.7.1 blocked" },
  ],
  [
    "one whose server has no better code",
    report(`${perMessage}Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 gone\n`),
    { kind: "failed", response: "5.1.1 550 gone" },
  ],
  [
    "one in base64",
    report(perMessage + failed, { encoding: "base64" }),
    { kind: "failed", response: expect.stringContaining("550 5.1.1") },
  ],
  [
    "one beyond ASCII",
    report(perMessage + failed, { type: "message/global-delivery-status" }),
    { kind: "failed", response: expect.stringContaining("550 5.1.1") },
  ],
  [
    "one without a diagnostic",
    report(`${perMessage}Final-Recipient: rfc822; a@x.example\nAction: Failed\nStatus: 4.4.7\n`),
    { kind: "failed", response: "4.4.7" },
  ],
  [
    "one of several recipients",
    report(`${perMessage}Action: relayed\nStatus: 2.0.0\n\n${failed}`),
    { kind: "failed", response: expect.stringContaining("no such user") },
  ],
  [
    "one of a delay",
    report(`${perMessage}Action: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; connection timed out\n`),
    { kind: "delayed", response: "4.4.1 connection timed out" },
  ],
  ["one of a success", report(`${perMessage}Action: delivered\nStatus: 2.0.0\n`), undefined],
  [
    "plain text with an enhanced code",
    crlf(
      "From: Mail Delivery System <postmaster@mx.example>\nSubject: Undeliverable: hello\n\nSorry.\n\nreal@x.example: 550 5.1.1 unknown\n",
    ),
    { kind: "failed", response: "real@x.example: 550 5.1.1 unknown" },
  ],
  [
    "plain text with a reply code, as qmail has it",
    crlf(
      "From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\nHi. This is the qmail-send program.\n<real@x.example>:\nRemote host said: 550 no mailbox\n",
    ),
    { kind: "failed", response: "550 no mailbox" },
  ],
  [
    "plain text that says no more than that",
    crlf("Subject: Returned mail: see transcript\n\nIt came back.\n"),
    { kind: "failed", response: "returned mail: see transcript" },
  ],
  [
    "a warning in plain text",
    crlf("From: postmaster@mx.example\nSubject: Warning: could not send for 4 hours\n\nWe go on.\n"),
    { kind: "delayed", response: "warning: could not send for 4 hours" },
  ],
  [
    "a vacation notice",
    crlf(
      "From: real@x.example\nSubject: Out of office\nAuto-Submitted: auto-replied\n\nBack on 5.1.2027, call 550 1234.\n",
    ),
    undefined,
  ],
  [
    "a vacation notice as Exchange writes it, with a subject that speaks of a delivery",
    crlf(
      "From: Real <real@x.example>\nSubject: Automatic reply: Delivery status of your order 4711\nAuto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\n\nI am on holiday.\n",
    ),
    undefined,
  ],
  [
    "a vacation notice with a code in its text",
    crlf(
      "From: real@x.example\nSubject: Auto: Returned mail to collect\nAuto-Submitted: auto-replied (vacation)\n\nI am away, in room 512 - call me.\n",
    ),
    undefined,
  ],
  [
    "a vacation notice of a postmaster",
    crlf(
      "From: postmaster@x.example\nSubject: Auto: Undeliverable\nAuto-Submitted: auto-replied (vacation)\n\nI am away.\n",
    ),
    undefined,
  ],
  [
    "a vacation notice without From",
    crlf("Subject: Auto: Returned mail\nAuto-Submitted: auto-replied\n\nI am away, in room 512 - call me.\n"),
    undefined,
  ],
  [
    "a message without From that speaks of no delivery",
    crlf("Subject: Out of office\n\nRoom 512 - call me.\n"),
    undefined,
  ],
  [
    "a vacation notice of somebody whose display name has the words of a mailer",
    crlf(
      "From: System Administrator, once Postmaster <fred@x.example>\nSubject: Auto: Undeliverable\nAuto-Submitted: auto-replied\n\nI am away.\n",
    ),
    undefined,
  ],
  [
    "plain text of a gateway, which names who failed",
    crlf("From: Gateway <noreply@mx.example>\nX-Failed-Recipients: real@x.example\nSubject: Delivery failed\n\nNo.\n"),
    { kind: "failed", response: "delivery failed" },
  ],
  ["a receipt", crlf("From: real@x.example\nSubject: Read: hello\n\nRead it.\n"), undefined],
])("%s is read", (_, message, expected) => {
  expect(readBounce(message, true, "real@x.example")).toEqual(expected);
});

test("a recipient who is postmaster is no mailer of what is returned from there", () => {
  const notice = crlf(
    "From: Postmaster@x.example\nSubject: Auto: Returned mail\nAuto-Submitted: auto-replied\n\nAway.\n",
  );
  expect(readBounce(notice, true, "postmaster@x.example")).toBeUndefined();
  expect(readBounce(notice, true, "real@x.example")).toMatchObject({ kind: "failed" });
  const international = Buffer.from(notice.toString().replace("x.example", "B\u00dcCHER.example"));
  expect(readBounce(international, true, "postmaster@xn--bcher-kva.example")).toBeUndefined();
});

test("words count only where the sender is null, as a bounce's is", () => {
  const words = crlf("Subject: Undeliverable\n\n550 5.1.1 no\n");
  expect(readBounce(words, false, "real@x.example")).toBeUndefined();
  expect(readBounce(report(perMessage + failed), false, "real@x.example")).toMatchObject({ kind: "failed" });
});

test("no octets are too odd, and no mutation of a report", () => {
  const whole = report(perMessage + failed);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 400 }),
        fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, octet]) => {
          const mutated = Buffer.from(whole);
          mutated[at] = octet;
          return mutated;
        }),
      ),
      (octets) => {
        const bounce = readBounce(Buffer.from(octets), true, "real@x.example");
        expect(bounce?.response ?? "").not.toMatch(/\p{Cc}/u);
      },
    ),
    { numRuns: 2_000 },
  );
});
