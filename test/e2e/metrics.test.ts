import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { FleetService } from "../../scripts/fleet/fleet.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { SinkRefusal, SmtpSink } from "../support/mail/smtp-sink.ts";

let sink: SmtpSink;
let installation: Installation;
let proxyAddress: string;
let internalPort: number;

beforeAll(async () => {
  sink = await SmtpSink.start({
    atMessage: ({ bytes }) => {
      if (bytes.includes("Subject: never")) throw new SinkRefusal(550, "5.1.1 never");
      if (bytes.includes("Subject: later")) throw new SinkRefusal(451, "4.2.0 later");
    },
  });
  [internalPort = 0] = await freePorts(1);
  installation = await startInstallation({ environment: { OUTBOUND: sink.url, INTERNAL_PORT: String(internalPort) } });
  const rest = await installation.rest();
  ({ proxyAddress } = await makeBinding(rest, { real_addresses: [installation.account.username] }));
});
afterAll(async () => {
  await installation?.dispose();
  await sink?.stop();
});

/** All samples of a service's metrics whose names begin so, by name and labels; buckets and what the process is itself left out. */
async function samples(service: FleetService, prefix: string): Promise<Record<string, number>> {
  const { mode, process } = installation;
  const url = mode === "single" ? `http://127.0.0.1:${internalPort}` : process(service).options.healthUrl;
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(prefix) && !/_bucket\{|_sum /.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

test("mail of every fate is counted as what became of it, and no label names anybody", async () => {
  const client = await SmtpClient.open(installation.smtpPort);
  for (const subject of ["taken", "taken", "taken", "never", "later"]) {
    const replies = await client.deliver([proxyAddress], `Subject: ${subject}\r\n\r\nhello\r\n`);
    expect(replies.at(-1)).toMatch(/^250 /);
  }
  await client.deliver(["nobody@postern.localhost"], "");
  await client.deliver(["somebody@elsewhere.example"], "");
  await client.command("RSET");
  const [, bare] = await client.deliver([proxyAddress], "Subject: x\r\n\r\na\nb\r\n");
  expect(bare).toMatch(/^550 5\.6\.11 /);

  const smtp = await samples("ingress", "postern_smtp_");
  expect(smtp).toEqual({
    postern_smtp_accepted_total: 5,
    'postern_smtp_refused_total{reason="unknownRecipient"}': 1,
    'postern_smtp_refused_total{reason="relayDenied"}': 1,
    'postern_smtp_refused_total{reason="bareLineEnding"}': 1,
    postern_smtp_message_size_bytes_count: 5,
    postern_smtp_open_connections: 1,
  });
  client.destroy();

  const forward = await eventually(async () => {
    const found = await samples("forwarder", "postern_forward_");
    expect(found["postern_forward_first_attempt_seconds_count"]).toBe(5);
    return found;
  });
  const { postern_forward_oldest_waiting_seconds: ageS = Number.NaN, ...rest } = forward;
  expect(rest).toEqual({
    'postern_forward_total{outcome="delivered",kind="forward"}': 3,
    'postern_forward_total{outcome="given_up",kind="forward"}': 1,
    'postern_forward_total{outcome="deferred",kind="forward"}': 1,
    'postern_forward_replies_total{provider="other",about="none",reason="delivered"}': 3,
    'postern_forward_replies_total{provider="other",about="address",reason="unknown-user"}': 1,
    'postern_forward_replies_total{provider="other",about="unknown",reason="server-trouble"}': 1,
    'postern_forward_reports_total{outcome="withheld"}': 1,
    postern_forward_first_attempt_seconds_count: 5,
    postern_forward_in_flight: 0,
    'postern_forward_destination_sessions{destination="127.0.0.1"}': 0,
    'postern_forward_destination_waiting{destination="example.org"}': 1,
  });
  // The one that is to be tried again.
  expect(ageS).toBeGreaterThan(0);
  expect(JSON.stringify([smtp, forward])).not.toMatch(/@|owner|author/);
});

test("what anybody may read at HTTP_PORT names no domain", async () => {
  const text = await (await fetch(`${installation.url}/metrics`)).text();
  expect(text).toMatch(/^postern_http_request_duration_seconds_count\{/m);
  expect(text).not.toMatch(/destination=|example\.org|127\.0\.0\.1/);
  // In one process it has all services' metrics; what stood under names is added up.
  if (installation.mode === "single") expect(text).toMatch(/^postern_forward_destination_waiting 1$/m);
});
