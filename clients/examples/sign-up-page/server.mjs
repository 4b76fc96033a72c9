// A service to sign up with: it mails a link and a code, and knows who has opened the link. Nothing to install.
//   SMTP_PORT=2525 PORT=4173 node server.mjs
import { randomBytes, randomInt } from "node:crypto";
import { createServer } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const port = Number(process.env.PORT ?? 4173);
const smtpPort = Number(process.env.SMTP_PORT ?? 2525);
const origin = `http://127.0.0.1:${port}`;

/** Addresses by the token of their link. */
const pending = new Map();

/** Hands one message to the server on this machine (RFC 5321). */
async function sendMail(to, subject, text) {
  const socket = connect(smtpPort, "127.0.0.1");
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const expectReply = async (code) => {
    for (;;) {
      const { value = "" } = await replies.next();
      if (!value.startsWith(code)) throw new Error(`the mail server answered ${value || "nothing"}`);
      if (value[3] !== "-") return;
    }
  };
  const say = async (line, code) => {
    socket.write(`${line}\r\n`);
    await expectReply(code);
  };
  try {
    await expectReply("220");
    await say("EHLO shop.example", "250");
    await say("MAIL FROM:<bounce@shop.example>", "250");
    await say(`RCPT TO:<${to}>`, "250");
    await say("DATA", "354");
    const head = ["From: The shop <hello@shop.example>", `To: ${to}`, `Subject: ${subject}`];
    await say([...head, `Date: ${new Date().toUTCString()}`, "", text, "."].join("\r\n"), "250");
    socket.write("QUIT\r\n");
  } finally {
    socket.end();
  }
}

const page = (content) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>The shop</title></head>
<body><main>${content}</main></body>
</html>
`;

const form = page(`<h1>Sign up</h1>
<form method="post" action="/sign-up">
<label>Email <input name="email" type="email" required></label>
<button>Sign up</button>
</form>`);

async function signUp(request) {
  let body = "";
  for await (const part of request) body += part;
  const email = new URLSearchParams(body).get("email") ?? "";
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(email)) return [422, page("<h1>That is no address</h1>")];
  const token = randomBytes(16).toString("hex");
  const code = String(randomInt(100_000, 1_000_000));
  pending.set(token, { code });
  await sendMail(email, "Confirm your address", `Your code is ${code}.\r\n\r\n${origin}/confirm?token=${token}`);
  return [202, page("<h1>Look into your mail</h1>")];
}

async function answerTo(request) {
  const { pathname, searchParams } = new URL(request.url, origin);
  if (pathname === "/") return [200, form];
  if (pathname === "/sign-up" && request.method === "POST") return signUp(request);
  const known = pathname === "/confirm" && pending.get(searchParams.get("token"));
  if (!known) return [404, page("<h1>There is nothing here</h1>")];
  return [200, page(`<h1>Welcome</h1><p>Your code was <output>${known.code}</output>.</p>`)];
}

const server = createServer(async (request, response) => {
  const [status, content] = await answerTo(request).catch((error) => [503, page(`<h1>${error.message}</h1>`)]);
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(content);
});
server.listen(port, "127.0.0.1", () => process.stdout.write(`${origin}\n`));
