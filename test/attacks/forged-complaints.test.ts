import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { call } from "../support/http/rest-client.ts";
import { admin } from "../support/installation/admin.ts";
import { AnsweringOwner, strangersHost } from "../support/mail/answering-owner.ts";
import type { CapturedMail } from "../support/mail/captured-mail.ts";
import { feedbackReport, type ReportedMail } from "../support/mail/feedback-report.ts";
import { ownersZone, signed } from "../support/mail/owners-server.ts";

// Whoever could make us believe in complaints stopped the mail of any account.

interface Listed {
  ownerId: string;
  emailId: string;
  isAnswer: boolean;
  feedbackType: string;
  isCounted: boolean;
}

const providers = ["first-provider.example", "second-provider.example", "third-provider.example"];
const recordsOf = (provider: string) => [
  [`sel._domainkey.${provider} TXT`, ownersZone["sel._domainkey.third.example TXT"] ?? []] as const,
  [`_dmarc.${provider} TXT`, ["v=DMARC1; p=reject"]] as const,
];

let owner: AnsweringOwner;
let proxyAddress: string;
let sent: CapturedMail[];

beforeAll(async () => {
  const environment = { COMPLAINTS_PAUSE_ORGANISATIONS: "3", COMPLAINTS_PAUSE_PERCENT: "1" };
  owner = await AnsweringOwner.start(environment, Object.fromEntries(providers.flatMap(recordsOf)));
  ({ proxyAddress } = await owner.binding());
  sent = [
    await answered("ann@shop.example"),
    await answered("ann@shop.example"),
    await answered("bob@books.example"),
    await answered("carol@garden.example"),
  ];
});
afterAll(() => owner.dispose());

async function answered(contact: string, fields: readonly string[] = []): Promise<CapturedMail> {
  const header = [`From: ${contact}`, "Message-ID: <x@shop.example>"];
  const to = owner.reverseIn(await owner.forwarded(proxyAddress, header));
  const mark = owner.mark();
  expect(await owner.answer(to, { header: [`To: ${to}`, `Subject: ${mark}`, ...fields] })).toMatch(/^250 /);
  return owner.left(({ message, envelopeTo }) => message.includes(mark) && envelopeTo === contact);
}

/** Signed by a provider, whose DMARC passes. */
const provedReport = async (provider: string, reported: ReportedMail) => {
  const message = feedbackReport(reported).replace("fbl@provider.example", `fbl@${provider}`);
  return owner.submit("abuse@postern.localhost", await signed(Buffer.from(message), provider), strangersHost);
};
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

test("reports of strangers, and of what was not sent, pause nobody, whoever got a copy of an answer", async () => {
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
  for (const mail of [first, first, second, third, fourth])
    await report({ original: header(mail), mailFrom: mail.envelopeFrom });
  await read(14);
  const shown = (await complaints()).filter(({ isAnswer }) => isAnswer);
  expect(shown.map(({ feedbackType, isCounted }) => [feedbackType, isCounted])).toEqual(
    Array.from({ length: 4 }, () => ["abuse", false]),
  );
  expect(await paused()).toEqual([]);
});

test("a proved report about what a responder wrote is shown, and does not count", async () => {
  const automatic = await answered("dan@park.example", ["Auto-Submitted: auto-replied"]);
  const before = (await complaints()).length;
  await provedReport(providers[0] ?? "", { original: "Subject: x\r\n\r\nx", mailFrom: automatic.envelopeFrom });
  const [latest] = await eventually(async () => {
    const listed = await complaints();
    expect(listed).toHaveLength(before + 1);
    return listed;
  });
  expect(latest).toMatchObject({ isAnswer: true, isCounted: false });
});

test("proved complaints of three providers' users, by reverse path and by Message-ID, pause the account: owner and operator are told", async () => {
  const [first, , third, fourth] = sent as [CapturedMail, CapturedMail, CapturedMail, CapturedMail];
  const [one = "", two = "", three = ""] = providers;
  await provedReport(one, { original: first.message.toString() });
  await provedReport(two, { original: third.message.toString() });
  await provedReport(three, { original: `Return-Path: <${fourth.envelopeFrom}>\r\nSubject: x\r\n\r\nx` });
  for (const recipient of [owner.realAddress, "postmaster@postern.localhost"])
    await owner.left(({ envelopeTo, message }) => {
      return envelopeTo === recipient && message.toString().replaceAll("=\r\n", "").includes("reported as unwanted");
    });
  const [account] = await paused();
  expect(account).toMatchObject({ reason: "complaints" });
  const counted = (await complaints()).filter(({ isCounted }) => isCounted);
  expect(counted).toHaveLength(3);
  const [complaint] = counted;
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
