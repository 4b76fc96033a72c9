import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { admin } from "../support/admin.ts";
import { AnsweringOwner, strangersHost } from "../support/answering-owner.ts";
import { eventually } from "../support/eventually.ts";
import { feedbackReport, type ReportedMail } from "../support/feedback-report.ts";
import type { CapturedMail } from "../support/installation.ts";
import { call } from "../support/rest-client.ts";

// Whoever could make us believe in complaints stopped the mail of any account.

interface Listed {
  ownerId: string;
  emailId: string;
  isAnswer: boolean;
  feedbackType: string;
  isCounted: boolean;
}

let owner: AnsweringOwner;
let proxyAddress: string;
let sent: CapturedMail[];

beforeAll(async () => {
  owner = await AnsweringOwner.start({ COMPLAINTS_PAUSE_CONTACTS: "3", COMPLAINTS_PAUSE_PERCENT: "1" });
  ({ proxyAddress } = await owner.binding());
  sent = [await answered("ann"), await answered("ann"), await answered("bob"), await answered("carol")];
});
afterAll(() => owner.dispose());

async function answered(name: string): Promise<CapturedMail> {
  const header = [`From: ${name}@shop.example`, "Message-ID: <x@shop.example>"];
  const to = owner.reverseIn(await owner.forwarded(proxyAddress, header));
  const mark = owner.mark();
  expect(await owner.answer(to, { header: [`To: ${to}`, `Subject: ${mark}`] })).toMatch(/^250 /);
  return owner.left(({ message, envelopeTo }) => message.includes(mark) && envelopeTo.startsWith(name));
}

const report = (reported: ReportedMail) =>
  owner.submit("abuse@postern.localhost", Buffer.from(feedbackReport(reported)), strangersHost);
const complaints = () => admin<Listed[]>(owner.installation, "sending", "complaints");
const paused = () => admin<{ ownerId: string; reason: string }[]>(owner.installation, "sending", "list");

/** Once so many reports were read, whatever came of them. */
async function read(count: number): Promise<void> {
  await eventually(async () => {
    const { text } = await call(`${owner.installation.url}/metrics`, "GET");
    const counts = [...text.matchAll(/^postern_complaints_total\{[^}]*\} (\d+)/gm)].map(([, each]) => Number(each));
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(count);
  });
}

test("reports of strangers, of what was not sent, and of one contact again and again pause nobody", async () => {
  const [first, second, third, fourth] = sent as [CapturedMail, CapturedMail, CapturedMail, CapturedMail];
  const header = (mail: CapturedMail) => mail.message.toString().split("\r\n\r\n", 1)[0] ?? "";
  const withoutId = (mail: CapturedMail) =>
    header(mail).replace(/^Message-ID:.*(?:\r\n[ \t].*)*/m, "Message-ID: <y@x.example>");
  const changed = (text: string) =>
    text.replace(/bounce\+(.)/, (_, letter: string) => `bounce+${letter === "a" ? "b" : "a"}`);
  for (const mail of [second, third, fourth]) {
    // All but what its recipient alone knows.
    await report({ original: `${withoutId(mail)}\r\n\r\nx`, mailFrom: proxyAddress, recipient: mail.envelopeTo });
    await report({ original: `From: ${proxyAddress}\r\n\r\nx`, mailFrom: changed(mail.envelopeFrom) });
    await report({ original: `${header(mail)}\r\n\r\nx`, mailFrom: mail.envelopeFrom, type: "not-spam" });
  }
  for (const mail of [first, first, second]) await report({ original: header(mail), mailFrom: mail.envelopeFrom });
  await read(12);
  const counted = (await complaints()).filter(({ isAnswer }) => isAnswer);
  expect(counted).toMatchObject([{ feedbackType: "abuse" }, { feedbackType: "abuse" }]);
  expect(await paused()).toEqual([]);
});

test("complaints of three contacts, by reverse path and by Message-ID, pause the account: owner and operator are told", async () => {
  const [first, , third, fourth] = sent as [CapturedMail, CapturedMail, CapturedMail, CapturedMail];
  await report({ original: third.message.toString() });
  await report({ original: `Return-Path: <${fourth.envelopeFrom}>\r\nSubject: x\r\n\r\nx` });
  for (const recipient of [owner.realAddress, "postmaster@postern.localhost"])
    await owner.left(({ envelopeTo, message }) => {
      return envelopeTo === recipient && message.toString().replaceAll("=\r\n", "").includes("reported as unwanted");
    });
  const [account] = await paused();
  expect(account).toMatchObject({ reason: "complaints" });
  const [complaint] = (await complaints()).filter(({ isAnswer }) => isAnswer);
  const { receivedEmail } = await eventually(async () => {
    const found = await owner.graph("query ($id: ID!) { receivedEmail(id: $id) { timeline { kind target detail } } }", {
      id: complaint?.emailId,
    });
    expect(JSON.stringify(found)).toContain("complained");
    return found;
  });
  expect(receivedEmail?.["timeline"]).toContainEqual({
    kind: "complained",
    target: fourth.envelopeTo,
    detail: "abuse",
  });
  // What is sent from now on is put off, by its author's server as well as by the API.
  const to = owner.reverseIn(
    await owner.forwarded(proxyAddress, ["From: ann@shop.example", "Message-ID: <z@shop.example>"]),
  );
  await eventually(async () => expect(await owner.answer(to, { header: [`To: ${to}`] })).toMatch(/^452 4\.2\.1 /));
  const message = { from: proxyAddress, to: [first.envelopeTo], subject: "x", text: "x" };
  expect((await owner.rest.send("POST", "/api/postern/v1/messages", message)).status).toBe(429);
  await admin(owner.installation, "sending", "resume", account?.ownerId ?? "");
  await eventually(async () => expect(await owner.answer(to, { header: [`To: ${to}`] })).toMatch(/^250 /));
});
