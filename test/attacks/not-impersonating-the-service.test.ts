import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { fromFields, OwnNameInstallation, refused, taken } from "./support/own-name-installation.ts";

// What looks like impersonating-the-service and is none: it is taken, and its From stays.

let service: OwnNameInstallation;
let proxyAddress: string;

beforeAll(async () => {
  service = await OwnNameInstallation.start();
  proxyAddress = await service.proxyAddress();
});
afterAll(() => service.dispose());

/** The mail that asks an address whether it is its owner's: the service's own, and signed. */
async function ownNotice(): Promise<string> {
  await makeBinding(await service.installation.rest(), { real_addresses: ["second@example.net"] });
  const mail = await service.left(({ envelopeTo }) => envelopeTo === "second@example.net");
  expect(fromFields(mail)[0]).toContain("postmaster@fwd.corp.example");
  return mail.message.toString("latin1");
}

/** Sends a message as it is; the reply, and From as it left. */
async function resend(message: string, recipient = proxyAddress) {
  const client = await SmtpClient.open(service.installation.smtpPort);
  const before = new Set((await service.installation.outbound()).map(({ name }) => name));
  const stuffed = message.replaceAll(/^\./gm, "..");
  const reply = (await client.deliver([recipient], Buffer.from(stuffed, "latin1"), "")).at(-1)?.slice(0, 9);
  client.destroy();
  return { reply, from: reply === taken ? fromFields(await service.left(({ name }) => !before.has(name))) : [] };
}

test("the service's own mail coming back, unless a list broke its signature", async () => {
  const notice = await ownNotice();
  const whole = await resend(notice);
  expect(whole.reply).toBe(taken);
  expect(whole.from).toEqual([expect.stringContaining("postmaster@fwd.corp.example")]);
  expect((await resend(notice.replace("Subject: ", "Subject: [list] "))).reply).toBe(refused);
});

test("mail from one proxy address to another; through a list that breaks its signature it is from the second", async () => {
  const { mark } = await service.send("From: Bank <x@bank.example>\r\n", { recipients: [proxyAddress] });
  const forwarded = (await service.left(({ message }) => message.includes(mark))).message.toString("latin1");
  const other = await service.proxyAddress();
  const whole = await resend(forwarded, other);
  expect(whole.reply).toBe(taken);
  expect(whole.from).toEqual([expect.stringContaining(`<${proxyAddress}>`)]);
  const broken = await resend(`${forwarded}-- \r\nthe list\r\n`, other);
  expect(broken.reply).toBe(taken);
  expect(broken.from).toEqual([expect.stringContaining(`<${other}>`)]);
});

test.each([
  ["a list that says whom it writes for", `"'support@fwd.corp.example' via a list" <list@lists.example>`],
  ["a company with a comma", "Foo, Inc. <foo@bar.example>"],
  ["an address as a name", "foo@bar.example <foo@bar.example>"],
  ["a group", "Staff: a@bar.example, b@bar.example;"],
  ["a name in another writing", "Jürgen Groß <j@bar.example>"],
])("%s", async (_, from) => {
  const { reply, mark } = await service.send(`From: ${from}\r\n`, { recipients: [proxyAddress] });
  expect(reply).toBe(taken);
  expect(await service.fromOf(mark)).toEqual([` ${from}`]);
});

test("a list that says so without quotes is taken, and its From replaced: another reader may see two addresses", async () => {
  const header = "From: 'support@fwd.corp.example' via a list <list@lists.example>\r\n";
  const { reply, mark } = await service.send(header, { recipients: [proxyAddress] });
  expect(reply).toBe(taken);
  expect(await service.fromOf(mark)).toEqual([expect.stringContaining(`<${proxyAddress}>`)]);
});

test("the organisation's own server", async () => {
  const sending = { recipients: [proxyAddress], sender: "ceo@corp.example", from: "127.0.0.5" };
  const { reply, mark } = await service.send("From: ceo@corp.example\r\n", sending);
  expect(reply).toBe(taken);
  expect(await service.fromOf(mark)).toEqual([" ceo@corp.example"]);
});

test("whatever comes to postmaster, to abuse and to a reverse path", async () => {
  const { mark } = await service.send("From: a@b.example\r\n", { recipients: [proxyAddress] });
  const { envelopeFrom } = await service.left(({ message }) => message.includes(mark));
  expect(envelopeFrom).toMatch(/^bounce\+/);
  for (const recipient of ["postmaster", "abuse@fwd.corp.example", envelopeFrom]) {
    const sending = { recipients: [recipient], sender: "" };
    expect((await service.send("From: MAILER-DAEMON@fwd.corp.example\r\n", sending)).reply).toBe(taken);
  }
});
