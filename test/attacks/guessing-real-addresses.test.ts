import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AnsweringOwner } from "../support/mail/answering-owner.ts";
import type { CapturedMail } from "../support/mail/captured-mail.ts";

// Who writes a guess of the real address learned whether it was right: a right one came back from the quotation as the proxy address.

let owner: AnsweringOwner;
beforeAll(async () => {
  owner = await AnsweringOwner.start();
});
afterAll(() => owner.dispose());

const wrong = "wrong.guess@example.org";
const base64 = (text: string) => Buffer.from(text).toString("base64").replaceAll(/.{60}/g, "$&\r\n");

/** How a guess can be written so that a mail program shows it, and quotes it. */
const guises: readonly (readonly [name: string, fields: readonly string[], write: (guess: string) => string])[] = [
  ["plain", [], (guess) => `Are you ${guess}?`],
  ["base64", ["Content-Transfer-Encoding: base64"], (guess) => base64(`Are you ${guess}?`)],
  ["quoted-printable", ["Content-Transfer-Encoding: quoted-printable"], (guess) => guess.replace("@", "=\r\n=40")],
  ["HTML", ["Content-Type: text/html"], (guess) => `<p>${guess.replace("@", "<b></b>&#64;")}</p>`],
  ["UTF-7", ["Content-Type: text/plain; charset=utf-7"], (guess) => guess.replace("@", "+AEA-")],
  ["a large text", [], (guess) => `${"x ".repeat(35).concat("\r\n").repeat(4_000)}${guess}`],
];

/** The mail that asks the owner about an answer that is held. */
function isQuestion({ message, envelopeTo }: CapturedMail, proxyAddress: string): boolean {
  const text = message.toString().replaceAll("=\r\n", "");
  return envelopeTo === owner.realAddress && text.includes("was not sent yet") && text.includes(proxyAddress);
}

/** What comes of a quotation of the guess: what leaves, or that its owner is asked. */
async function quoted(guess: string, fields: readonly string[], body: string): Promise<string> {
  const { proxyAddress } = await owner.binding();
  const from = fields.some((field) => field.startsWith("From:")) ? [] : ["From: ann@shop.example"];
  const header = [...from, "Message-ID: <guess@shop.example>", "MIME-Version: 1.0", ...fields];
  const to = owner.reverseIn(await owner.forwarded(proxyAddress, header, body));
  const mark = owner.mark();
  await owner.answer(to, {
    header: [`To: ${to}`, `Subject: ${mark}`, "In-Reply-To: <guess@shop.example>"],
    body: `Hm, ${mark}\r\n\r\nOn Monday, ${guess} (ann at shop.example) wrote:\r\n> Are you ${guess}?\r\n`,
  });
  const { message, envelopeTo } = await owner.left((mail) =>
    mail.envelopeTo === "ann@shop.example" ? mail.message.includes(mark) : isQuestion(mail, proxyAddress),
  );
  return envelopeTo === owner.realAddress ? "held" : message.toString().replaceAll("=\r\n", "");
}

test.each(guises)("a guess as %s: a right one is not replaced, its owner is asked", async (_name, fields, write) => {
  expect(await quoted(wrong, fields, write(wrong))).toContain(`> Are you ${wrong}?`);
  expect(await quoted(owner.realAddress, fields, write(owner.realAddress))).toBe("held");
});

test.each([
  ["a display name", (guess: string) => [`From: "${guess}" <ann@shop.example>`]],
  ["the subject", (guess: string) => ["From: ann@shop.example", `Subject: =?utf-8?B?${base64(guess)}?=`]],
])("a guess as %s: a right one is not replaced, its owner is asked", async (_name, fieldsWith) => {
  const hello = "Hello there.";
  expect(await quoted(wrong, fieldsWith(wrong), hello)).toContain(`> Are you ${wrong}?`);
  expect(await quoted(owner.realAddress, fieldsWith(owner.realAddress), hello)).toBe("held");
});

test("where nobody guessed it, a quoted real address is the proxy address", async () => {
  expect(await quoted(owner.realAddress, [], "Hello there.")).not.toContain(owner.realAddress);
});

test("what its owner lets leave has the guess as it was written", async () => {
  const { proxyAddress } = await owner.binding();
  const guess = owner.realAddress;
  const header = ["From: ann@shop.example", "Message-ID: <guess@shop.example>"];
  const to = owner.reverseIn(await owner.forwarded(proxyAddress, header, `Are you ${guess}?`));
  const mark = owner.mark();
  await owner.answer(to, { header: [`To: ${to}`], body: `${mark}\r\n\r\nAnn wrote:\r\n> Are you ${guess}?\r\n` });
  const asked = await owner.left((mail) => isQuestion(mail, proxyAddress));
  const [, path = ""] = /(\/answers\/[\w-]{43})/.exec(asked.message.toString()) ?? [];
  await fetch(`${owner.installation.url}${path}`, { method: "POST" });
  const { message } = await owner.left((mail) => mail.envelopeTo === "ann@shop.example" && mail.message.includes(mark));
  expect(message.toString().replaceAll("=\r\n", "")).toContain(`> Are you ${guess}?`);
});

test("a responder that repeats subject and text answers a right guess as a wrong one", async () => {
  const answerTo = async (guess: string) => {
    const { proxyAddress } = await owner.binding();
    const header = ["From: ann@shop.example", `Subject: ${guess}`, "Message-ID: <guess@shop.example>"];
    const to = owner.reverseIn(await owner.forwarded(proxyAddress, header, `Are you ${guess}?`));
    const mark = owner.mark();
    await owner.answer(to, {
      header: [
        `To: ${to}`,
        `Subject: Away: ${guess}`,
        "Auto-Submitted: auto-replied",
        `Message-ID: <${mark}@x.example>`,
      ],
      body: `I am away. ${"-".repeat(mark.length)}\r\n\r\n> Are you ${guess}?\r\n> ${guess}\r\n`,
    });
    const { message } = await owner.left(
      (mail) => mail.message.includes(`<${proxyAddress}>`) && mail.message.includes("I am away"),
    );
    return message
      .toString()
      .replace(/^[\s\S]*?(?=^From:)/m, "")
      .replaceAll(proxyAddress, "")
      .replace(/^(?:Message-ID|Date):.*(?:\r\n[ \t].*)*\r\n/gim, "");
  };
  const right = await answerTo(owner.realAddress);
  expect(right).toContain("I am away.");
  expect(right).toBe(await answerTo(wrong));
});
