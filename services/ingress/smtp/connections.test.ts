import { afterEach, expect, test } from "@jest/globals";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { acceptingServer, stopServers } from "../test-support/accepting-server.ts";
import { selfSigned } from "../tls/self-signed.ts";

afterEach(stopServers);

test("connections are bounded per client and in all; an exempt client is not bounded by itself", async () => {
  const { port } = await acceptingServer({}, { maxConnections: 5, maxConnectionsPerClient: 2 });
  const greetings: string[] = [];
  for (const from of ["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.9", "127.0.0.9", "127.0.0.9", "127.0.0.8"]) {
    const client = await SmtpClient.connect(port, from);
    greetings.push((await client.reply()).slice(0, 9));
  }
  expect(greetings).toEqual([
    "220 mx.ex",
    "220 mx.ex",
    "421 4.7.0",
    "220 mx.ex",
    "220 mx.ex",
    "220 mx.ex",
    "421 4.7.0",
  ]);
});

test("STARTTLS resets the session, and what was pipelined before the handshake is dropped", async () => {
  const senders: string[] = [];
  const { port, taken } = await acceptingServer({ mail: async (sender) => void senders.push(sender) });
  const client = await SmtpClient.open(port);
  client.send("STARTTLS\r\nMAIL FROM:<injected@x.example>\r\n");
  expect(await client.reply()).toMatch(/^220 /);
  const socket = await client.secure();
  expect(socket.getPeerCertificate().subject?.CN).toBe("mx.example.com");
  expect(await client.command("MAIL FROM:<early@x.example>")).toMatch(/^503 /);
  expect(await client.command("EHLO client.example")).not.toContain("STARTTLS");
  expect((await client.deliver(["a@b.example"], "x\r\n"))[1]).toMatch(/^250 /);
  expect(senders).toEqual(["author@example.org"]);
  expect(taken.messages.map(String)).toEqual(["x\r\n"]);
});

test("a connection that is gone counts no longer, however it went", async () => {
  const { listener, port } = await acceptingServer();
  const plain = await SmtpClient.open(port);
  const secured = await SmtpClient.open(port);
  await secured.command("STARTTLS");
  await secured.secure();
  const broken = await SmtpClient.open(port);
  await broken.command("STARTTLS");
  expect(listener.openConnections).toBe(3);
  await plain.command("QUIT");
  secured.destroy();
  broken.send("this is no handshake\r\n");
  while (listener.openConnections > 0) await new Promise(setImmediate);
});

test("a new key pair is for the handshakes after it", async () => {
  const { port, smtp } = await acceptingServer();
  const names: unknown[] = [];
  for (const name of ["mx.example.com", "new.example.com"]) {
    if (name.startsWith("new")) smtp.replaceKeyPair(await selfSigned(name));
    const client = await SmtpClient.open(port);
    await client.command("STARTTLS");
    names.push((await client.secure()).getPeerCertificate().subject?.CN);
    client.destroy();
  }
  expect(names).toEqual(["mx.example.com", "new.example.com"]);
});

test("of a proxy the client counts, and a proxy that does not say who it is does not get through", async () => {
  const clients: string[] = [];
  const { port } = await acceptingServer({ mail: async (_, session) => void clients.push(session.remoteAddress) });
  const proxy = await SmtpClient.connect(port, "127.0.0.7");
  proxy.send("PROXY TCP6 2001:db8::1 2001:db8::2 12345 25\r\n");
  expect(await proxy.reply()).toMatch(/^220 /);
  await proxy.command("EHLO client.example");
  await proxy.command("MAIL FROM:<>");
  const silent = await SmtpClient.connect(port, "127.0.0.7");
  silent.send("EHLO client.example\r\n");
  expect(await silent.reply()).toBe("");
  const liar = await SmtpClient.open(port);
  expect(await liar.command("PROXY TCP4 192.0.2.1 192.0.2.2 1 25")).toMatch(/^500 /);
  await liar.command("MAIL FROM:<>");
  expect(clients).toEqual(["2001:db8::1", "127.0.0.1"]);
});

test("a stop refuses new connections, sends idle clients away and finishes the message in progress", async () => {
  const { port, taken } = await acceptingServer();
  const idle = await SmtpClient.open(port);
  const busy = await SmtpClient.open(port);
  busy.send("MAIL FROM:<>\r\nRCPT TO:<a@b.example>\r\nDATA\r\n");
  await busy.replies(3);
  busy.send("half ");
  const stopped = stopServers();
  expect(await idle.reply()).toMatch(/^421 4\.3\.2 /);
  await expect(SmtpClient.connect(port)).rejects.toThrow("ECONNREFUSED");
  busy.send("and whole\r\n.\r\n");
  expect(await busy.replies(2)).toEqual(["250 2.0.0 Accepted as 1", expect.stringMatching(/^421 4\.3\.2 /)]);
  await Promise.all([idle.closed(), busy.closed(), stopped]);
  expect(taken.messages.map(String)).toEqual(["half and whole\r\n"]);
});
