import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { SmtpClient } from "../../../test/support/mail/smtp.ts";
import { acceptingServer, sizeLimitBytes, stopServers } from "../test-support/accepting-server.ts";
import { SmtpRefusal } from "./refusals.ts";

afterEach(stopServers);

test("greets by the service's domain and offers what it keeps", async () => {
  const { port } = await acceptingServer();
  const client = await SmtpClient.connect(port);
  expect(await client.reply()).toBe("220 mx.example.com ESMTP Postern");
  const [first, ...extensions] = (await client.command("EHLO client.example")).split("\r\n");
  expect(first).toBe("250-mx.example.com");
  expect(extensions.map((line) => line.slice(4))).toEqual([
    "PIPELINING",
    "8BITMIME",
    "SMTPUTF8",
    "ENHANCEDSTATUSCODES",
    "STARTTLS",
    `SIZE ${sizeLimitBytes}`,
  ]);
});

test("the replies to commands that came together leave together (RFC 2920 section 3.2)", async () => {
  const { port } = await acceptingServer();
  const socket = connect(port, "127.0.0.1");
  const pieces: string[] = [];
  socket.on("data", (piece) => pieces.push(piece.toString()));
  const until = async (reply: string) => {
    while (!pieces.join("").includes(reply)) await once(socket, "data");
  };
  await until("220 ");
  socket.write("EHLO client.example\r\n");
  await until("250 SIZE");
  pieces.length = 0;
  socket.write("MAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nRCPT TO:<e@d.example>\r\nDATA\r\n");
  await until("354 ");
  expect(pieces).toHaveLength(1);
  socket.destroy();
});

test("a message comes out as it went in, with its dots unstuffed", async () => {
  const { port, taken } = await acceptingServer();
  const client = await SmtpClient.open(port);
  const replies = await client.deliver(["a@b.example"], "Subject: x\r\n\r\n..\r\n...two\r\n.. end\r\n\r\n");
  expect(replies).toEqual(["250 2.1.5 Accepted", "250 2.0.0 Accepted as 1"]);
  expect(taken.messages.map(String)).toEqual(["Subject: x\r\n\r\n.\r\n..two\r\n. end\r\n\r\n"]);
});

test("a size too large is refused at MAIL where it is said, else after the final dot, and the session goes on", async () => {
  const { port, taken } = await acceptingServer();
  const client = await SmtpClient.open(port);
  expect(await client.command(`MAIL FROM:<a@b.example> SIZE=${sizeLimitBytes + 1}`)).toMatch(/^552 5\.3\.4 /);
  const [, reply] = await client.deliver(["a@b.example"], `${"x".repeat(998)}\r\n`.repeat(400));
  expect(reply).toMatch(/^552 5\.3\.4 /);
  expect(taken.messages).toEqual([]);
  expect((await client.deliver(["a@b.example"], "small\r\n"))[1]).toMatch(/^250 /);
});

test("a parameter of an extension that is not offered is refused, and the session goes on", async () => {
  const { port } = await acceptingServer();
  const client = await SmtpClient.open(port);
  expect(await client.command("MAIL FROM:<a@b.example> RET=HDRS")).toMatch(/^555 5\.5\.4 /);
  expect(await client.command("MAIL FROM:<a@b.example> BODY=8BITMIME SMTPUTF8 SIZE=10")).toMatch(/^250 /);
  expect(await client.command("RCPT TO:<a@b.example> NOTIFY=NEVER")).toMatch(/^555 5\.5\.4 /);
  expect(await client.command("RCPT TO:<a@b.example> SIZE=10")).toMatch(/^555 5\.5\.4 /);
  expect(await client.command("RCPT TO:<a@b.example>")).toMatch(/^250 /);
});

test("a recipient too many is deferred, one that came already is not", async () => {
  const { port } = await acceptingServer();
  const client = await SmtpClient.open(port);
  await client.command("MAIL FROM:<>");
  const replies: string[] = [];
  for (const name of ["a", "b", "c", "A"]) replies.push(await client.command(`RCPT TO:<${name}@b.example>`));
  expect(replies.map((reply) => reply.slice(0, 9))).toEqual(["250 2.1.5", "250 2.1.5", "452 4.5.3", "250 2.1.5"]);
});

test("a refusal of the handler keeps its own enhanced status code", async () => {
  const { port } = await acceptingServer({
    recipient: async () => {
      throw new SmtpRefusal("relayDenied");
    },
  });
  const client = await SmtpClient.open(port);
  await client.command("MAIL FROM:<>");
  expect(await client.command("RCPT TO:<a@b.example>")).toBe("550 5.7.1 We do not relay to this domain");
  expect(await client.command("DATA")).toMatch(/^503 5\.5\.1 /);
  expect(await client.command("VRFY root")).toMatch(/^252 /);
  expect(await client.command("WIZ")).toMatch(/^500 5\.5\.2 /);
  expect(await client.command("AUTH PLAIN AGEAYg==")).toMatch(/^500 5\.5\.2 /);
});

test("a client that vanishes in the middle of a message leaves none behind", async () => {
  const isOver = Promise.withResolvers<void>();
  const { port, taken } = await acceptingServer({ closed: () => isOver.resolve() });
  const client = await SmtpClient.open(port);
  client.send("MAIL FROM:<>\r\nRCPT TO:<a@b.example>\r\nDATA\r\n");
  await client.replies(3);
  client.send(`${"half a message ".repeat(10)}\r\n`);
  await new Promise(setImmediate);
  client.destroy();
  await isOver.promise;
  expect(taken.messages).toEqual([]);
  expect(taken.refused).toMatchObject([{ reason: "clientVanished" }]);
});
