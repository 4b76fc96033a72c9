import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { changeBinding } from "../../support/http/rest-bindings.ts";
import { DnsServer } from "../../support/peers/dns-server.ts";
import { expectNothingLost } from "../expect-nothing-lost.ts";
import { type FaultFixture, startFaultFixture } from "../fault-fixture.ts";

let dns: DnsServer;
let fixture: FaultFixture;

beforeAll(async () => {
  dns = await DnsServer.start({
    "example.com TXT": ["v=spf1 ip4:127.0.0.1 -all"],
    "example.org MX": ["10 mx.example.org"],
    "mx.example.org A": ["127.0.0.1"],
    "hooks.example A": ["127.0.0.1"],
  });
  fixture = await startFaultFixture(({ port }) => ({
    OUTBOUND: "mx",
    MX_PORT: String(port),
    DNS_SERVERS: dns.address,
  }));
});
afterAll(async () => {
  await fixture?.dispose();
  await dns?.stop();
});

test("a name server that says nothing: mail is taken, waits, and goes on once there are answers", async () => {
  const { rest, sink, target, browsable, forwardOnly } = fixture;
  const { port } = new URL(target.url);
  const callbackUrl = `http://hooks.example:${port}/hook`;
  for (const { id } of [browsable, forwardOnly]) await changeBinding(rest, id, { callback_url: callbackUrl });
  const load = fixture.sendUntilStopped("without-dns");
  await load.acceptedMore(30);
  await eventually(() => {
    expect(sink.messages.length).toBeGreaterThan(0);
    expect(target.received.length).toBeGreaterThan(0);
  });
  dns.isSilent = true;
  await load.acceptedMore(100);
  await load.stop();
  dns.isSilent = false;
  expect(load.refused).toEqual([]);
  expect(load.unanswered).toEqual([]);
  await expectNothingLost(fixture);
}, 300_000);
