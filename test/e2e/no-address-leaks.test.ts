import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { changeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { SinkRefusal, SmtpSink } from "../support/mail/smtp-sink.ts";

const real = "hidden.person@provider.example";
const telltale = /hidden|provider\.example/i;

let sink: SmtpSink;
let installation: Installation;
let rest: RestClient;
let proxyAddress: string;

/** A next hop that names the real address whenever it says no. */
beforeAll(async () => {
  sink = await SmtpSink.start({
    atMessage: ({ recipient, bytes }) => {
      if (recipient.startsWith("hidden.stranger@")) throw new SinkRefusal(550, `5.1.1 <${recipient}> is nobody`);
      if (recipient !== real) return;
      if (bytes.includes("Subject: never"))
        throw new SinkRefusal(550, `5.1.1 <${real}> is nobody at mx.provider.example`);
      if (bytes.includes("Subject: later")) throw new SinkRefusal(451, `4.2.2 <${real}> is full`);
    },
  });
  installation = await startInstallation({ environment: { OUTBOUND: sink.url, FORWARD_RETRY_S: "1" } });
  rest = await installation.rest();
  const binding = await makeBinding(rest, { real_addresses: [installation.account.username, real] });
  proxyAddress = binding.proxyAddress;
  const notice = await eventually(() => {
    const found = sink.messages.find(({ recipient }) => recipient === real);
    if (!found) throw new Error("no link was sent");
    return found.bytes.toString();
  });
  await fetch(/https?:\/\/\S+\/verify\/\S+/.exec(notice)?.[0] ?? "", { method: "POST" });
  await changeBinding(rest, binding.id, { real_addresses: [real] });
});
afterAll(async () => {
  await installation?.dispose();
  await sink?.stop();
});

test("a real address is in no answer, no header of what goes on, no log and no metric, whatever becomes of the mail", async () => {
  const client = await SmtpClient.open(installation.smtpPort);
  const said: string[] = [];
  for (const subject of ["taken", "never", "later"]) {
    said.push(
      ...(await client.deliver([proxyAddress], `From: a@author.example\r\nSubject: ${subject}\r\n\r\nhello\r\n`)),
    );
    said.push(await client.command(`VRFY ${proxyAddress}`), await client.command("EXPN all"));
  }
  client.destroy();
  const taken = await eventually(() => {
    const found = sink.messages.find(({ recipient, bytes }) => recipient === real && bytes.includes("Subject: taken"));
    if (!found) throw new Error("it has not come yet");
    return found;
  });
  // Nor does a notice that nobody takes tell the log.
  await makeBinding(rest, { real_addresses: ["hidden.stranger@provider.example"] });
  // Both others have come to their end: the one at once, the other after its one retry.
  await eventually(async () => {
    const { healthUrl } = installation.process("forwarder").options;
    const text = await (await fetch(`${healthUrl}/metrics`)).text();
    expect(text).toContain('postern_forward_total{outcome="given_up",kind="forward"} 2');
    expect(text).toContain('postern_forward_total{outcome="given_up",kind="notice"} 1');
  });
  const metrics = await Promise.all(
    installation.processes().map(async ({ options }) => (await fetch(`${options.healthUrl}/metrics`)).text()),
  );
  expect(said.join("\n")).not.toMatch(telltale);
  expect(`${taken.sender}\n${taken.bytes}`).not.toMatch(telltale);
  expect(installation.output()).not.toMatch(telltale);
  // A destination is named by its domain, nobody in it.
  expect(metrics.join("\n")).not.toMatch(/hidden|person/i);
});
