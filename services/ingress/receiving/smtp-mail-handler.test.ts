import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { InternalError, Outage } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { IngressUnderTest, route } from "../test-support/ingress-under-test.ts";

let ingress: IngressUnderTest;
let client: SmtpClient;

beforeEach(async () => {
  ingress = await IngressUnderTest.start();
  client = await SmtpClient.open(ingress.port);
});

afterEach(async () => {
  client.destroy();
  await ingress.stop();
});

test("each recipient is routed on its own, and a binding that is written to twice gets one email", async () => {
  ingress.bindings.routes.set("other", { ...route, bindingId: newId(), proxyAddress: "other@postern.localhost" });
  ingress.bindings.routes.set("alias", route);
  const recipients = ["proxy", "nobody", "other", "alias"].map((name) => `${name}@postern.localhost`);
  const replies = await client.deliver([...recipients, "else@example.com", "bounce+bad@postern.localhost"], "x\r\n");
  const codes = replies.map((reply) => reply.slice(0, 9));
  expect(codes).toEqual(["250 2.1.5", "550 5.1.1", "250 2.1.5", "250 2.1.5", "550 5.7.1", "550 5.7.1", "250 2.0.0"]);
  const events = await ingress.published();
  expect(events.map((event) => event.recipient)).toEqual([recipients[0], recipients[2]]);
  expect(new Set(events.map((event) => event.rawId)).size).toBe(1);
});

test("subaddresses of one binding are an email each, and spellings of one are the same", async () => {
  for (const name of ["a", "a+run42", "a+run43", "A+RUN42"]) ingress.bindings.routes.set(name, route);
  const recipients = ["a", "a+run42", "a+run43", "A+RUN42"].map((name) => `${name}@postern.localhost`);
  await client.deliver(recipients, "x\r\n");
  const events = await ingress.published();
  expect(events.map((event) => event.recipient)).toEqual(recipients.slice(0, 3));
  expect(new Set(events.map((event) => event.emailId)).size).toBe(3);
});

test("postmaster and abuse are always taken, and go to the operator", async () => {
  const recipients = ["postmaster", "Abuse@postern.localhost", "postmaster@example.com"];
  const replies = await client.deliver(recipients, "x\r\n");
  expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "550", "250"]);
  expect(await ingress.published()).toMatchObject([
    { recipient: "postmaster", targets: [{ address: "operator@example.net" }], isBrowsable: false },
  ]);
});

test("complaints about an own domain come to the operator too, also beside postmaster@, which leads where they do", async () => {
  ingress.bindings.ownDomains.add("own.example");
  for (const name of ["postmaster", "abuse"]) ingress.bindings.routes.set(name, route);
  await client.deliver(["postmaster@own.example", "abuse@own.example"], "x\r\n");
  expect(await ingress.published()).toMatchObject([
    { targets: [{ address: "real@example.net" }] },
    { targets: [{ address: "operator@example.net" }] },
  ]);
});

test.each([
  ["is disabled", { ...route, refusal: { reason: "account-disabled", isTemporary: false } as const }],
  ["has no such address", undefined],
])("complaints about a domain whose account %s come to the operator alone", async (_state, abuse) => {
  ingress.bindings.ownDomains.add("own.example");
  if (abuse) ingress.bindings.routes.set("abuse", abuse);
  const replies = await client.deliver(["abuse@own.example", "abuse@example.com"], "x\r\n");
  expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "550", "250"]);
  expect(await ingress.published()).toMatchObject([
    { recipient: "abuse@own.example", targets: [{ address: "operator@example.net" }] },
  ]);
});

test("new addresses of a domain: no more in a transaction than there is room for, and counted at DATA", async () => {
  ingress.bindings.ownDomains.add("own.example");
  const newAddress = { domainId: newId(), perHour: 20, remaining: 2 };
  const ids = [newId(), newId(), newId()];
  for (const [at, bindingId] of ids.entries())
    ingress.bindings.routes.set(`new${at}`, { ...route, bindingId, newAddress });
  const recipients = ids.map((_, at) => `new${at}@own.example`);
  const replies = await client.deliver(["proxy@postern.localhost", ...recipients], "x\r\n");
  expect(replies.map((reply) => reply.slice(0, 9))).toEqual([
    ...["250 2.1.5", "250 2.1.5", "250 2.1.5", "452 4.2.1", "250 2.0.0"],
  ]);
  expect(ingress.bindings.promised).toEqual(ids.slice(0, 2));
  ingress.bindings.promisable = 0;
  const [, refused] = await client.deliver(recipients.slice(2), "x\r\n");
  expect(refused).toMatch(/^452 4\.2\.1 /);
  expect(await ingress.published()).toHaveLength(3);
});

test("mail to a reverse path of ours is kept for forwarder, and one that is not ours is refused", async () => {
  const reversePath = ingress.reversePath();
  await client.deliver([reversePath], "x\r\n", "");
  const [returned] = await ingress.published();
  expect(returned).toMatchObject({
    $typeName: "postern.ingress.v1.MailReturned",
    recipient: reversePath,
    envelopeSender: "",
  });
  expect(await ingress.rawMessage(returned?.rawId ?? "")).toBe("x\r\n");
  await client.command("MAIL FROM:<>");
  const forged = reversePath.replace(/.@/, (last) => (last === "a@" ? "b@" : "a@"));
  expect(await client.command(`RCPT TO:<${forged}>`)).toMatch(/^550 5\.7\.1 /);
});

test("bindings out of reach, or at fault: 451, and asked again the next time", async () => {
  await client.command("MAIL FROM:<>");
  for (const failure of [new Outage("bindings"), new InternalError({ public: "x" }), new Error("bug")]) {
    ingress.bindings.failure = failure;
    expect(await client.command("RCPT TO:<proxy@postern.localhost>")).toMatch(/^451 4\.3\.0 /);
  }
  ingress.bindings.failure = undefined;
  expect(await client.command("RCPT TO:<proxy@postern.localhost>")).toMatch(/^250 2\.1\.5 /);
});

test("non-ASCII local parts need SMTPUTF8, and then come through as they are", async () => {
  ingress.bindings.routes.set("jörg", route);
  await client.command("MAIL FROM:<>");
  expect(await client.command("RCPT TO:<jörg@postern.localhost>")).toMatch(/^553 5\.6\.7 /);
  await client.command("RSET");
  await client.command("MAIL FROM:<åsa@münchen.example> SMTPUTF8 BODY=8BITMIME");
  await client.command("RCPT TO:<jörg@postern.localhost>");
  await client.command("DATA");
  expect(await client.command("x\r\n.")).toMatch(/^250 /);
  const expected = {
    envelopeSender: "åsa@xn--mnchen-3ya.example",
    recipient: "jörg@postern.localhost",
    protocol: "UTF8SMTP",
    smtpUtf8: true,
    eightBitMime: true,
  };
  expect(await ingress.published()).toMatchObject([expected]);
});

test("what goes in circles is refused: by its hops, or by our own trace of the same binding", async () => {
  const hop = "Received: from a by b for <x@y.example>; now\r\n";
  const ours =
    "Received: from a ([127.0.0.1])\r\n\tby postern.localhost with ESMTP id 1\r\n\tfor <PROXY@postern.localhost>;\r\n\tnow\r\n";
  for (const header of [hop.repeat(101), ours]) {
    const [, reply] = await client.deliver(["proxy@postern.localhost"], `${header}\r\nx\r\n`);
    expect(reply).toMatch(/^554 5\.4\.6 /);
  }
  expect((await client.deliver(["proxy@postern.localhost"], `${hop.repeat(100)}\r\n${ours}`))[1]).toMatch(/^250 /);
});

test("a client or a binding that gets too busy is deferred; an exempt client never is", async () => {
  const limited = await IngressUnderTest.start({
    LIMIT_CLIENT_PER_MIN: "3",
    LIMIT_BINDING_PER_MIN: "2",
    LIMIT_EXEMPT_CIDRS: "127.0.0.2/32",
  });
  const codes: string[] = [];
  for (const address of ["127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.1"]) {
    const sender = await SmtpClient.open(limited.port, address);
    for (let count = 0; count < 2; count++) codes.push(...(await sender.deliver(["proxy@postern.localhost"], "x\r\n")));
    if (address === "127.0.0.1") {
      await sender.command("MAIL FROM:<>");
      codes.push(await sender.command("RCPT TO:<proxy@postern.localhost>"), await sender.command("RSET"));
      codes.push(await sender.command("MAIL FROM:<>"));
      await sender.closed();
    }
    sender.destroy();
  }
  expect(new Set(codes.slice(0, 16).map((reply) => reply.slice(0, 3)))).toEqual(new Set(["250"]));
  expect(codes.slice(16).map((reply) => reply.slice(0, 9))).toEqual(["452 4.2.1", "250 2.0.0", "421 4.7.0"]);
  await limited.stop();
});
