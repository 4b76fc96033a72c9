import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { IngressUnderTest } from "../../services/ingress/test-support/ingress-under-test.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

// Some servers drop a NUL, or end a line at it. A line of NUL and a dot, sent on as it came, ends the message there, and what
// follows it is a second one, in our name.

const smuggled = "MAIL FROM:<x@x.example>\r\nRCPT TO:<y@y.example>\r\nDATA\r\nSubject: smuggled\r\n";
const sequences = ["\r\n\0.\r\n", "\r\n.\0\r\n", "\r\0\n.\r\n", "\r\n.\r\0\n", "\0"];
let refusing: IngressUnderTest;
let repairing: IngressUnderTest;

beforeAll(async () => {
  refusing = await IngressUnderTest.start();
  repairing = await IngressUnderTest.start({ SMTP_BARE_LINE_ENDINGS: "repair" });
});
afterAll(() => Promise.all([refusing.stop(), repairing.stop()]));

async function deliver(ingress: IngressUnderTest, content: string): Promise<string> {
  const client = await SmtpClient.open(ingress.port);
  const [, reply = ""] = await client.deliver(["proxy@postern.localhost"], content);
  client.destroy();
  return reply.slice(0, 9);
}

test.each(sequences)("%j is not taken", async (sequence) => {
  const reply = await deliver(refusing, `Subject: x\r\n\r\none${sequence}${smuggled}`);
  expect(["550 5.6.0", "550 5.6.1"]).toContain(reply);
  expect(await refusing.published()).toEqual([]);
});

test.each(sequences)("%j is stored without its NUL where messages are repaired", async (sequence) => {
  expect(await deliver(repairing, `Subject: x\r\n\r\none${sequence}${smuggled}`)).toBe("250 2.0.0");
  const email = (await repairing.published()).at(-1);
  const raw = await repairing.rawMessage(email?.rawId);
  expect(raw).not.toContain("\0");
  expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(raw.endsWith(smuggled)).toBe(true);
});
