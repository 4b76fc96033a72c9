import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { emailIds } from "../support/mail/send-mail.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

// A receiver that trusts our Authentication-Results must never see one that a stranger wrote (RFC 8601 section 5), in whatever way
// its name is written: receivers unfold before they look for the colon, and some forgive more than blanks.

let installation: Installation;
let proxyAddress: string;

beforeAll(async () => {
  installation = await startInstallation({ mode: "single" });
  const rest = await installation.rest();
  ({ proxyAddress } = await makeBinding(rest, { real_addresses: [installation.account.username] }));
});
afterAll(() => installation?.dispose());

/** The bodies of all fields that even the most forgiving of receivers takes for Authentication-Results. */
function resultsIn(message: Buffer): string[] {
  const [header = ""] = message.toString("latin1").split("\r\n\r\n", 1);
  const lines = header.replaceAll(/\r\n(?=[ \t])/g, "").split("\r\n");
  return lines.flatMap((line) => {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).replaceAll(/[^!-~]/g, "");
    return name.toLowerCase() === "authentication-results" ? [line.slice(colon + 1).trim()] : [];
  });
}

async function forwarded(header: string): Promise<Buffer> {
  const client = await SmtpClient.open(installation.smtpPort);
  const message = Buffer.from(`${header}From: ceo@bank.example\r\nSubject: x\r\n\r\nbody\r\n`, "latin1");
  const reply = (await client.deliver([proxyAddress], message)).at(-1) ?? "";
  client.destroy();
  const [emailId] = emailIds(reply);
  if (emailId === undefined) throw new Error(`not taken: ${reply}`);
  return eventually(async () => {
    const left = (await installation.outbound()).find(({ message: text }) => text.includes(`id ${emailId}`));
    if (!left) throw new Error("it has not left yet");
    return left.message;
  });
}

const forged = "postern.localhost; dmarc=pass header.from=bank.example";

test.each([
  ["as anybody would write it", `Authentication-Results: ${forged}\r\n`],
  ["with blanks before the colon", `authentication-results \t : ${forged}\r\n`],
  ["with a fold before the colon", `Authentication-Results\r\n : ${forged}\r\n`],
  ["with two folds before the colon", `Authentication-Results \r\n\t\r\n : ${forged}\r\n`],
  ["with a no-break space before the colon", `Authentication-Results\xa0: ${forged}\r\n`],
  ["with one in UTF-8", `Authentication-Results\xc2\xa0: ${forged}\r\n`],
  ["with a control character before the colon", `Authentication-Results\x0b: ${forged}\r\n`],
  ["behind a line that is no field", `no field\r\nAuthentication-Results\r\n : ${forged}\r\n`],
  ["behind a name without a colon", `X-Name\r\nAuthentication-Results: ${forged}\r\n`],
  ["with a fold before the name of the server", `Authentication-Results:\r\n\t(a\r\n b) ${forged}\r\n`],
  ["with a line of blanks before the name of the server", `Authentication-Results:\r\n \r\n ${forged}\r\n`],
])("%s it does not pass", async (_, header) => {
  const results = resultsIn(await forwarded(header));
  expect(results).toHaveLength(1);
  expect(results[0]).toMatch(/^postern\.localhost;/);
  expect(results[0]).not.toContain("dmarc=pass");
});

test("another server's stays where it was, however it is written", async () => {
  const header = "Authentication-Results\r\n : mx.example; spf=pass\r\n";
  expect((await forwarded(header)).toString("latin1")).toContain(header);
});
