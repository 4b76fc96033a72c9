import { afterEach, expect, test } from "@jest/globals";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { acceptingServer, sizeLimitBytes, stopServers } from "../test-support/accepting-server.ts";

afterEach(stopServers);

/** What comes through to us as senders and recipients. */
async function recordingServer() {
  const addresses: string[] = [];
  const record = async (address: string) => void addresses.push(address);
  const { port } = await acceptingServer({ mail: record, recipient: record });
  return { port, addresses };
}

const quotedLocalParts = [
  ["a blank", '"john doe"'],
  ["blanks", '"  "'],
  ["a quoted quote and a backslash", '"a\\"b\\\\"'],
  ["angle brackets", '"a> <b"'],
  ["an at sign", '"a@b c"'],
  ["a colon and dots", '"..:a"'],
  ["what looks like a parameter", '"> SIZE=1 <"'],
];

test.each(quotedLocalParts)(
  "a quoted local part with %s is an address (RFC 5321 section 4.1.2)",
  async (_, localPart) => {
    const { port, addresses } = await recordingServer();
    const client = await SmtpClient.open(port);
    const address = `${localPart}@b.example`;
    for (const parameters of ["", " SIZE=10", "  BODY=8BITMIME SMTPUTF8 SIZE=10 "]) {
      expect(await client.command(`MAIL FROM:<${address}>${parameters}`)).toMatch(/^250 /);
      expect(await client.command(`RCPT TO:<${address}>`)).toMatch(/^250 /);
      expect(await client.command("RSET")).toMatch(/^250 /);
    }
    expect(await client.command(`MAIL FROM:<${address}> SIZE=${sizeLimitBytes + 1}`)).toMatch(/^552 5\.3\.4 /);
    expect(await client.command(`MAIL FROM:<${address}> RET=HDRS`)).toMatch(/^555 5\.5\.4 /);
    expect(new Set(addresses)).toEqual(new Set([address]));
  },
);

test.each([
  '"john doe"b@b.example',
  '"john doe@b.example',
  'john doe"@b.example',
  '"john doe"@',
  '"john doe"@b.example x',
  '"john doe"@b..example',
  '"john doe"@b.example,c@d.example',
  '"a b"."c"@b.example',
  '"a b"@"c d"@b.example',
  '"a b\\"@b.example',
  '"a\tb"@b.example',
  '"a\u0000 b"@b.example',
  '"a\u200b b"@b.example',
  `"${"a ".repeat(130)}"@b.example`,
])("%j is none, and the session goes on", async (address) => {
  const { port, addresses } = await recordingServer();
  const client = await SmtpClient.open(port);
  expect(await client.command(`MAIL FROM:<${address}> SMTPUTF8`)).toMatch(/^501 /);
  expect(await client.command("MAIL FROM:<a@b.example>")).toMatch(/^250 /);
  expect(await client.command(`RCPT TO:<${address}>`)).toMatch(/^501 /);
  expect(await client.command("RCPT TO:<c@b.example>")).toMatch(/^250 /);
  expect(addresses).toEqual(["a@b.example", "c@b.example"]);
});
