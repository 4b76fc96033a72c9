import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import { SmtpClient } from "../../support/mail/smtp.ts";

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation({ mode: "single" });
});
afterAll(() => installation?.dispose());

test("a request and a message that never end do not keep the process from stopping in good order", async () => {
  const { hostname, port } = new URL(installation.url);
  const caller = connect(Number(port), hostname);
  caller.write(
    "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
  );
  const sender = await SmtpClient.open(installation.smtpPort);
  await sender.command("MAIL FROM:<author@example.org>");
  await sender.command("RCPT TO:<postmaster@postern.localhost>");
  expect(await sender.command("DATA")).toMatch(/^354/);
  sender.send("Subject: never ends\r\n");
  const left = once(caller, "close");
  expect(await installation.process("ingress").stop()).toBe(0);
  await left;
}, 120_000);
