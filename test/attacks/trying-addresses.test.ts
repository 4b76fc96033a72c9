import { afterEach, expect, test } from "@jest/globals";
import { IngressUnderTest } from "../../services/ingress/test-support/ingress-under-test.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

// Messages are limited; recipients that are refused were not, so that one transaction could try all addresses that there may be.

let ingress: IngressUnderTest;
afterEach(() => ingress.stop());

/** Tries addresses until the connection is closed. @returns the codes of the replies */
async function harvest(count: number, addressOf: (at: number) => string, client = "127.0.0.1"): Promise<string[]> {
  const connection = await SmtpClient.open(ingress.port, client);
  await connection.command("MAIL FROM:<>");
  const codes: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const reply = await connection.command(`RCPT TO:<${addressOf(at)}>`);
    codes.push(reply.slice(0, 9));
    if (reply.startsWith("421")) break;
  }
  connection.destroy();
  return codes;
}

test.each([
  ["addresses", (at: number) => `harvest${at}@postern.localhost`, "550 5.1.1"],
  ["the key of a return address", (at: number) => `bounce+${at}@postern.localhost`, "550 5.7.1"],
  ["domains to relay to", (at: number) => `x@domain${at}.example`, "550 5.7.1"],
])("a client that tries %s has as many tries a minute as messages", async (_what, addressOf, refusal) => {
  ingress = await IngressUnderTest.start({ LIMIT_CLIENT_PER_MIN: "10", LIMIT_EXEMPT_CIDRS: "127.0.0.2/32" });
  // The message itself is one of the ten.
  expect(await harvest(100, addressOf)).toEqual([...Array(9).fill(refusal), "421 4.7.0"]);
  const next = await SmtpClient.open(ingress.port);
  expect(await next.command("MAIL FROM:<>")).toMatch(/^421 4\.7\.0 /);
  next.destroy();
  expect(new Set(await harvest(30, addressOf, "127.0.0.2"))).toEqual(new Set([refusal]));
});
