import { beforeAll, expect, test } from "@jest/globals";
import { provideSwaks, swaks } from "../../scripts/peers/swaks.ts";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import type { SharedInstallation } from "../support/installation/shared-installation.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { plainInstallation } from "./support/installation.ts";

let installation: SharedInstallation;
let proxyAddress: string;

beforeAll(async () => {
  await provideSwaks();
  installation = await plainInstallation();
  const rest = await installation.rest();
  ({ proxyAddress } = await makeBinding(rest, { real_addresses: [installation.account.username] }));
}, 300_000);

const mail = (...more: string[]) =>
  swaks(installation.smtpPort, ["--from", "ann@example.com", "--to", proxyAddress, ...more]);

test.each<[string, string[]]>([
  ["an ordinary mail", []],
  ["the old greeting", ["--protocol", "SMTP"]],
  ["all of it pipelined", ["--pipeline"]],
  ["over STARTTLS", ["--tls"]],
  ["from nobody", ["--from", "<>"]],
  ["to several, one of them nobody", ["--to", "PROXY,nobody@postern.localhost"]],
])("swaks: %s is taken", async (_what, options) => {
  const { transcript, exitCode } = await mail(...options.map((option) => option.replace("PROXY", proxyAddress)));
  expect(transcript).toMatch(/^<[-~*] +250 2\.0\.0 Accepted as /m);
  expect(exitCode).toBe(0);
});

test.each<[string, string[], RegExp]>([
  ["nobody", ["--to", "nobody@postern.localhost"], /550 5\.1\.1 /],
  ["another's domain", ["--to", "ann@example.com"], /550 5\.7\.1 /],
  ["an address that is none", ["--to", "a b@@"], /50[01] 5\./],
  ["a login", ["--auth", "PLAIN", "--auth-user", "a", "--auth-password", "b"], /Host did not advertise authentication/],
  ["a line feed that stands alone", ["--data", "Subject: x\r\n\r\na\nb\r\n.\r\n", "--no-data-fixup"], /550 5\.6\.11 /],
])("swaks: %s is refused", async (_what, options, reply) => {
  const { transcript, exitCode } = await mail(...options);
  expect(transcript).toMatch(reply);
  expect(exitCode).not.toBe(0);
});

test("a reverse path of ours takes bounces; cut, changed, or made up it is 550 at RCPT", async () => {
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "comes-back", text: "x" });
  const reversePath = await eventually(async () => {
    const left = (await installation.outbound()).find(({ message }) => message.includes("comes-back"));
    if (!left) throw new Error("it has not left yet");
    return left.envelopeFrom;
  });
  const [localPart = "", domain = ""] = reversePath.split("@");
  const last = localPart.at(-1) === "a" ? "b" : "a";
  const client = await SmtpClient.open(installation.smtpPort);
  await client.command("MAIL FROM:<>");
  expect(await client.command(`RCPT TO:<${reversePath}>`)).toMatch(/^250 /);
  expect(await client.command(`RCPT TO:<${localPart.toUpperCase()}@${domain}>`)).toMatch(/^250 /);
  for (const forged of [`${localPart.slice(0, -1)}${last}`, localPart.slice(0, -1), "bounce+made-up", "bounce+"])
    expect(await client.command(`RCPT TO:<${forged}@${domain}>`)).toMatch(/^550 5\./);
  expect(await client.command("QUIT")).toMatch(/^221 /);
});

test("senders find the MTA-STS policy over HTTP", async () => {
  const response = await fetch(`${installation.url}/.well-known/mta-sts.txt`, {
    headers: { host: "mta-sts.postern.localhost" },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await response.text()).toBe(
    "version: STSv1\r\nmode: enforce\r\nmx: postern.localhost\r\nmax_age: 1209600\r\n",
  );
});
