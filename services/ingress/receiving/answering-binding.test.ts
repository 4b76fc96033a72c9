import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { DnsServer } from "../../../test/support/peers/dns-server.ts";
import { newId } from "../../platform/ids.ts";
import { IngressUnderTest, route } from "../test-support/ingress-under-test.ts";

const nobody = { targets: [], unverifiedTargets: [], callbackUrl: "", isBrowsable: false, answers: false, author: "" };

let dns: DnsServer;
let ingress: IngressUnderTest;
let client: SmtpClient;

beforeAll(async () => {
  dns = await DnsServer.start({
    "_dmarc.bank.example TXT": ["v=DMARC1; p=reject"],
    "_dmarc.shop.example TXT": ["v=DMARC1; p=quarantine"],
    "_dmarc.trial.example TXT": ["v=DMARC1; p=reject; pct=0"],
    "proved.example TXT": ["v=spf1 ip4:127.0.0.1 ip6:::1 -all"],
    "_dmarc.proved.example TXT": ["v=DMARC1; p=reject"],
  });
  ingress = await IngressUnderTest.start({ DNS_SERVERS: dns.address });
  ingress.bindings.routes.set("answering", { ...route, bindingId: newId(), answers: true, hasBlockedContacts: true });
  ingress.bindings.blocked.add("pest@x.example");
  client = await SmtpClient.open(ingress.port);
});

afterAll(async () => {
  client.destroy();
  await ingress.stop();
  await dns.stop();
});

const deliver = async (names: string[], from: string, sender = "x@y.example") =>
  (
    await client.deliver(
      names.map((name) => `${name}@postern.localhost`),
      `From: ${from}\r\n\r\nx\r\n`,
      sender,
    )
  ).at(-1);
const lastEvents = async (count: number) => (await ingress.published()).slice(-count);

test("where the owner answers, the event names the one author; elsewhere nobody", async () => {
  expect(await deliver(["answering", "proxy"], "=?utf-8?q?J=C3=B6rg?= <joerg@shop.example>")).toMatch(/^250 /);
  expect(await lastEvents(2)).toMatchObject([
    { answers: true, author: "joerg@shop.example", authorName: "Jörg", authentication: { dmarc: "fail" } },
    { answers: false, author: "", authorName: "" },
  ]);
  await deliver(["answering"], "a@x.example, b@x.example");
  expect(await lastEvents(1)).toMatchObject([{ answers: true, author: "" }]);
});

test("a forgery in the name of a domain with p=reject is refused where the owner answers, and only there", async () => {
  expect(await deliver(["answering"], "ceo@bank.example")).toMatch(/^550 5\.7\.26 /);
  expect(await deliver(["proxy"], "ceo@bank.example")).toMatch(/^250 /);
});

test("a forgery is refused where the owner answers whatever its pct, and beside an author who is proved", async () => {
  expect(await deliver(["answering"], "ceo@trial.example")).toMatch(/^550 5\.7\.26 /);
  const both = "me@proved.example, ceo@bank.example";
  expect(await deliver(["answering"], both, "me@proved.example")).toMatch(/^550 5\.7\.26 /);
  expect(await deliver(["answering"], "me@proved.example", "me@proved.example")).toMatch(/^250 /);
});

test("beside others a forgery is kept from the recipient alone who answers, and recorded for that one", async () => {
  expect(await deliver(["answering", "proxy"], "ceo@bank.example")).toMatch(/^250 /);
  const [last, discarded] = await lastEvents(2);
  expect(last).toMatchObject({ targets: [expect.anything()], discarded: "", authentication: { dmarc: "fail" } });
  expect(discarded).toMatchObject({ ...nobody, discarded: "forged", rawId: last?.rawId });
});

test("From is replaced for the recipient alone whose own domain it is", async () => {
  const own = { ...route, bindingId: newId(), proxyAddress: "me@own.example" };
  ingress.bindings.routes.set("own", own);
  expect(await deliver(["proxy", "own"], "boss@own.example")).toMatch(/^250 /);
  expect(await lastEvents(2)).toMatchObject([
    { authentication: { mustReplaceFrom: false } },
    { authentication: { mustReplaceFrom: true } },
  ]);
});

test("a blocked author is refused, by From or by the envelope; beside others the blocking binding alone gets nothing", async () => {
  expect(await deliver(["answering"], "Pest@x.example")).toMatch(/^550 5\.7\.1 /);
  expect(await deliver(["answering"], "other@x.example", "pest@x.example")).toMatch(/^550 5\.7\.1 /);
  const padding = Array.from({ length: 120 }, (_, at) => `a${at}@x.example`).join(",\r\n ");
  expect(await deliver(["answering"], padding, "pest@x.example")).toMatch(/^550 5\.7\.1 /);
  expect(await deliver(["proxy", "answering"], "pest@x.example")).toMatch(/^250 /);
  const [last, discarded] = await lastEvents(2);
  expect(last).toMatchObject({ answers: false, discarded: "" });
  expect(discarded).toMatchObject({ ...nobody, discarded: "sender-blocked", rawId: last?.rawId });
});

test("what DNS cannot tell for now is taken: it is forwarded with a mark", async () => {
  dns.zone["_dmarc.failing.example TXT"] = ["SERVFAIL"];
  expect(await deliver(["answering"], "ann@failing.example")).toMatch(/^250 /);
  expect(await lastEvents(1)).toMatchObject([{ authentication: { dmarc: "temperror" } }]);
});
