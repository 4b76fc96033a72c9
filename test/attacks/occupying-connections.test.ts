import { afterEach, expect, test } from "@jest/globals";
import { acceptingServer, stopServers } from "../../services/ingress/test-support/accepting-server.ts";
import { SmtpClient } from "../support/mail/smtp.ts";

// A customer of any provider has 2^64 IPv6 addresses. Each connection from another of them, they would take all there are.

afterEach(stopServers);

/** The greetings of connections that a proxy (127.0.0.7) makes for clients. */
async function greetings(clients: readonly string[]): Promise<string[]> {
  const { port } = await acceptingServer({}, { maxConnections: 100, maxConnectionsPerClient: 2 });
  const replies: string[] = [];
  for (const client of clients) {
    const connection = await SmtpClient.connect(port, "127.0.0.7");
    connection.send(`PROXY TCP6 ${client} 2001:db8:ffff::1 12345 25\r\n`);
    replies.push((await connection.reply()).slice(0, 3));
  }
  return replies;
}

test("by addresses of one /64; a neighbour still gets through", async () => {
  const clients = ["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:1:ffff::3", "2001:db8:0:2::1"];
  expect(await greetings(clients)).toEqual(["220", "220", "421", "220"]);
});

test("by ways to write one IPv4 address", async () => {
  const clients = ["::ffff:192.0.2.1", "::ffff:c000:201", "::FFFF:192.0.2.1", "::ffff:192.0.2.2"];
  expect(await greetings(clients)).toEqual(["220", "220", "421", "220"]);
});
