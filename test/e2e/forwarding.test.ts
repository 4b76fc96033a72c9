import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { changeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import type { SharedInstallation } from "../support/installation/shared-installation.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { plainInstallation } from "./support/installation.ts";

let installation: SharedInstallation;
let rest: RestClient;
const own = () => installation.account.username;

beforeAll(async () => {
  installation = await plainInstallation();
  rest = await installation.rest();
});

/** The captured mail whose subject line holds a word, once there are `count` of it. */
function leftWith(word: string, count: number) {
  return eventually(async () => {
    const found = (await installation.outbound()).filter(({ message }) => message.includes(word));
    expect(found).toHaveLength(count);
    return found;
  });
}

/** Opens the link that was sent to a real address, and presses its button. */
async function verify(address: string): Promise<void> {
  const link = await eventually(async () => {
    const notice = (await installation.outbound()).find(
      ({ envelopeTo, message }) => envelopeTo === address && message.includes("/verify/"),
    );
    const url = notice?.message.toString().match(/https?:\/\/\S+\/verify\/\S+/)?.[0];
    if (!url) throw new Error(`no link was sent to ${address}`);
    return url;
  });
  expect(await (await fetch(link)).text()).toContain(address);
  expect((await fetch(link, { method: "POST" })).status).toBe(200);
}

test("a mail goes on to the real address, byte for byte below what we put on top", async () => {
  const { proxyAddress, id } = await makeBinding(rest, { real_addresses: [own()] });
  const raw = `From: Ann <ann@example.com>\r\nTo: ${proxyAddress}\r\nSubject: plain-one\r\n\r\nIs anybody there?\r\n.\r\n..dots\r\n`;
  await sendMail(installation.smtpPort, { envelope: { from: "ann@example.com", to: proxyAddress }, raw });
  const [mail] = await leftWith("plain-one", 1);
  expect(mail?.envelopeTo).toBe(own());
  expect(mail?.envelopeFrom).not.toContain("ann@example.com");
  expect(mail?.envelopeFrom.endsWith("@postern.localhost")).toBe(true);
  expect(mail?.message.toString().endsWith(raw)).toBe(true);
  await eventually(async () => {
    const shown = await rest.get(`/api/v1/proxy-bindings/${id}`);
    expect(shown.body?.["data"]?.["attributes"]?.["received_emails"]).toBe(1);
  });
});

test("several recipients of one transaction are each routed on their own", async () => {
  const one = await makeBinding(rest, { real_addresses: [own()] });
  const two = await makeBinding(rest, { real_addresses: [own()] });
  const response = await sendMail(installation.smtpPort, {
    to: [one.proxyAddress, two.proxyAddress],
    subject: "both-of-you",
    text: "x",
  });
  expect(emailIds(response)).toHaveLength(2);
  await leftWith("both-of-you", 2);
});

test("every enabled and verified real address gets it, the others do not", async () => {
  const second = "second@example.net";
  const third = "third@example.net";
  const { id, proxyAddress } = await makeBinding(rest, { real_addresses: [own(), second, third] });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "before-verification", text: "x" });
  expect((await leftWith("before-verification", 1))[0]?.envelopeTo).toBe(own());
  await verify(second);
  await verify(third);
  await changeBinding(rest, id, { real_addresses: { [own()]: true, [second]: true, [third]: false } });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "after-verification", text: "x" });
  const targets = (await leftWith("after-verification", 2)).map(({ envelopeTo }) => envelopeTo);
  expect(targets.sort()).toEqual([own(), second].sort());
});

test("a reserved internal domain gets nothing sent", async () => {
  const { proxyAddress, attributes } = await makeBinding(rest, {});
  const [internal] = Object.keys(attributes["real_addresses"] ?? {});
  expect(internal).toMatch(/@(int\.postern\.localhost|postern-int\.int)$/);
  const marker = await makeBinding(rest, { real_addresses: [own()] });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "stays-inside", text: "x" });
  // What was accepted later has left, so what was accepted before would have.
  await sendMail(installation.smtpPort, { to: marker.proxyAddress, subject: "goes-outside", text: "x" });
  await leftWith("goes-outside", 1);
  await leftWith("stays-inside", 0);
});

test("nobody's address is refused, and so is somebody else's domain", async () => {
  await expect(sendMail(installation.smtpPort, { to: "nobody@postern.localhost", text: "x" })).rejects.toMatchObject({
    responseCode: 550,
  });
  await expect(sendMail(installation.smtpPort, { to: "ann@example.com", text: "x" })).rejects.toMatchObject({
    responseCode: 550,
  });
});

test("a removed binding takes no more, and its address goes back to its former owner only", async () => {
  const { id, proxyAddress } = await makeBinding(rest, { real_addresses: [own()] });
  expect((await rest.send("DELETE", `/api/v1/proxy-bindings/${id}`)).status).toBe(204);
  await expect(sendMail(installation.smtpPort, { to: proxyAddress, text: "x" })).rejects.toMatchObject({
    responseCode: 550,
  });
  const again = await makeBinding(rest, { proxy_address: proxyAddress, real_addresses: [own()] });
  expect(again.proxyAddress).toBe(proxyAddress);
});
