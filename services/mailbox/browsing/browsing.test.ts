import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { accepted, type MailboxUnderTest, receive, startMailbox } from "../test-support/mailbox-under-test.ts";

let mailbox: MailboxUnderTest;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

const withAttachment = [
  "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>",
  "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=",
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "",
  "Hello\0",
  "--b",
  "Content-Type: application/pdf; name*=utf-8''%C3%A4.pdf",
  "",
  "pdf bytes",
  "--b--",
  "",
].join("\r\n");

/** Links are signed again for each answer. */
const withoutSignatures = (answer: unknown) => JSON.parse(JSON.stringify(answer).replaceAll(/\?expires=[^"]*/g, ""));

test("an email of a browsable binding is stored, listed, shown and announced", async () => {
  const mail = await receive(mailbox, withAttachment);
  const { ownerId, bindingId, emailId } = mail;
  const page = await mailbox.client.list({ ownerId, bindingId });
  expect(page).toMatchObject({ totalCount: 1, nextCursor: null });
  expect(page.emails[0]).toMatchObject({
    id: emailId,
    bindingId,
    recipient: "shop@postern.localhost",
    sender: "sender@example.com",
    subject: "Grüße",
    attachmentCount: 1,
    isProcessed: true,
  });
  const details = await mailbox.client.details({ ownerId, emailId });
  expect(details.payload).toMatchObject({
    Subject: "Grüße",
    From: "Jürgen <j@example.org>",
    recipient: "Shop@postern.localhost",
    "body-plain": "Hello\uFFFD",
  });
  expect(details.isTruncated).toBe(false);
  const [head = "", ...payload] = (await text(await mailbox.streams.details({ ownerId, emailId }))).split("\n");
  const streamed = { ...JSON.parse(head), payload: JSON.parse(payload.join("\n")) };
  expect(withoutSignatures(streamed)).toEqual(withoutSignatures(details));
  expect(details.attachments).toMatchObject([
    { filename: "ä.pdf", mime: "application/pdf", sizeBytes: 9, contentId: null },
  ]);
  expect((await mailbox.client.timeline({ ownerId, emailId })).map(({ kind }) => kind)).toEqual(["accepted", "stored"]);
  expect(await mailbox.published(topics.mailStored)).toMatchObject([{ emailId, ownerId, bindingId, callbackUrl: "" }]);
  expect(await mailbox.published(topics.mailReleased)).toEqual([]);
  expect(await text(await mailbox.streams.rawSource({ ownerId, emailId }))).toBe(withAttachment);
});

test("an attachment downloads by its link alone, and only by that", async () => {
  const { ownerId, emailId } = await receive(mailbox, withAttachment);
  const [attachment] = (await mailbox.client.details({ ownerId, emailId })).attachments;
  const url = new URL(attachment?.url ?? "");
  expect(url.origin + url.pathname).toBe(`https://postern.example/api/v1/attachments/${emailId}/0`);
  const link = {
    emailId,
    index: 0,
    expires: url.searchParams.get("expires") ?? "",
    signature: url.searchParams.get("signature") ?? "",
  };
  const located = await mailbox.client.attachment(link);
  expect(located).toMatchObject({ filename: "ä.pdf", sizeBytes: 9 });
  expect((await buffer(await mailbox.streams.attachmentBytes({ blobId: located.blobId }))).toString()).toBe(
    "pdf bytes",
  );
  for (const forged of [
    { index: 1 },
    { expires: "9999999999" },
    { signature: "" },
    { signature: "x" },
    { emailId: newId() },
  ]) {
    await expect(mailbox.client.attachment({ ...link, ...forged })).rejects.toMatchObject({ kind: "Forbidden" });
  }
  await mailbox.client.remove({ ownerId, emailId });
  await expect(mailbox.client.attachment(link)).rejects.toMatchObject({ kind: "NotFound" });
  await expect(mailbox.streams.attachmentBytes({ blobId: located.blobId })).rejects.toMatchObject({ kind: "NotFound" });
});

test("a link that has expired is no longer good", async () => {
  const expires = String(Math.floor(Date.now() / 1_000) - 1);
  await expect(mailbox.client.attachment({ emailId: newId(), index: 0, expires, signature: "" })).rejects.toMatchObject(
    { kind: "Forbidden" },
  );
});

test("pages are newest first and meet without gap or overlap", async () => {
  const { ownerId, bindingId } = accepted();
  for (const subject of ["one", "two", "three", "fourTEEN", "five"])
    await receive(mailbox, `Subject: ${subject}\r\n\r\n`, { ownerId, bindingId });
  const subjects = async (query: { first?: number; after?: string; search?: string }) => {
    const { emails, nextCursor, totalCount } = await mailbox.client.list({ ownerId, bindingId, ...query });
    return { subjects: emails.map((email) => email.subject), after: nextCursor ?? undefined, totalCount };
  };
  expect(await subjects({})).toMatchObject({ subjects: ["five", "fourTEEN", "three", "two", "one"], totalCount: 5 });
  const first = await subjects({ first: 2 });
  expect(first).toMatchObject({ subjects: ["five", "fourTEEN"], totalCount: 5 });
  const second = await subjects({ first: 2, after: first.after });
  expect(second).toMatchObject({ subjects: ["three", "two"] });
  expect(await subjects({ first: 2, after: second.after })).toEqual({
    subjects: ["one"],
    after: undefined,
    totalCount: 5,
  });
  expect(await subjects({ search: "Fourteen" })).toMatchObject({ subjects: ["fourTEEN"], totalCount: 1 });
  expect(await subjects({ search: "%", first: 1 })).toMatchObject({ subjects: [], totalCount: 0 });
  await expect(subjects({ after: "x" })).rejects.toMatchObject({ kind: "ValidationFailed" });
});

test("nobody reads what is not theirs, not there, or not browsable", async () => {
  const { ownerId, bindingId, emailId } = await receive(mailbox, "Subject: s\r\n\r\n");
  const notFound = { kind: "NotFound" };
  const stranger = newId();
  await expect(mailbox.client.details({ ownerId: stranger, emailId })).rejects.toMatchObject(notFound);
  await expect(mailbox.client.remove({ ownerId: stranger, emailId })).rejects.toMatchObject(notFound);
  for (const id of [newId(), "no-uuid", "\0", "\uD800"]) {
    await expect(mailbox.client.details({ ownerId, emailId: id })).rejects.toMatchObject(notFound);
    await expect(mailbox.client.timeline({ ownerId, emailId: id })).rejects.toMatchObject(notFound);
    await expect(mailbox.client.remove({ ownerId, emailId: id })).rejects.toMatchObject(notFound);
    await expect(mailbox.client.list({ ownerId, bindingId: id })).rejects.toMatchObject(notFound);
  }
  await expect(mailbox.client.callbackContent({ emailId: newId() })).rejects.toMatchObject(notFound);
  mailbox.peers.browsable.set(bindingId, false);
  await expect(mailbox.client.list({ ownerId, bindingId })).rejects.toMatchObject({ kind: "NotBrowsable" });
  await expect(mailbox.client.details({ ownerId, emailId })).rejects.toMatchObject({ kind: "NotBrowsable" });
  await expect(mailbox.streams.rawSource({ ownerId, emailId })).rejects.toMatchObject({ kind: "NotBrowsable" });
});

test("an email that is only forwarded is never read; its timeline is there", async () => {
  const mail = accepted({ targets: [{ addressId: newId(), address: "ann@example.org" }] });
  await mailbox.consume(topics.mailAccepted, [mail]);
  const { ownerId, emailId, bindingId } = mail;
  mailbox.peers.browsable.set(bindingId, true);
  await mailbox.read();
  await expect(mailbox.client.details({ ownerId, emailId })).rejects.toMatchObject({ kind: "NotFound" });
  expect(await mailbox.client.list({ ownerId, bindingId })).toMatchObject({ emails: [] });
  expect(await mailbox.client.timeline({ ownerId, emailId })).toMatchObject([
    { kind: "accepted", target: null, detail: "from mx.example.com [192.0.2.1]" },
  ]);
});

test("the timeline shows what was found of the sender in one line, however the header was folded", async () => {
  const mail = accepted({ authenticationResults: "mx.example.net;\r\n dkim=none;\r\n\tspf=pass" });
  await mailbox.consume(topics.mailAccepted, [mail]);
  const { ownerId, emailId } = mail;
  expect(await mailbox.client.timeline({ ownerId, emailId })).toMatchObject([
    { kind: "accepted", detail: "from mx.example.com [192.0.2.1]; mx.example.net; dkim=none; spf=pass" },
  ]);
});
