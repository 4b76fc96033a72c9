import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { type CallbackTarget, callbackTarget } from "../support/http/callback-target.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import type { SharedInstallation } from "../support/installation/shared-installation.ts";
import { emailIds } from "../support/mail/send-mail.ts";
import { SmtpClient } from "../support/mail/smtp.ts";
import { plainInstallation } from "./support/installation.ts";

// What callbacks say of mail that is odd but right: see test/corpus.

let installation: SharedInstallation;
let target: CallbackTarget;
let proxyAddress: string;

beforeAll(async () => {
  target = await callbackTarget();
  installation = await plainInstallation();
  ({ proxyAddress } = await makeBinding(await installation.rest(), { callback_url: target.url }));
});
afterAll(() => target?.close());

test.each([
  ["boundary-with-trailing-blanks", ["report.pdf"]],
  ["inner-multipart-not-closed", ["report.pdf"]],
  ["inline-text-with-a-name", ["notes.txt"]],
  ["x-uuencode", ["hello.txt"]],
])("%s is called back with its attachments", async (name, files) => {
  const file = await readFile(new URL(`../corpus/${name}.eml`, import.meta.url), "latin1");
  const client = await SmtpClient.open(installation.smtpPort);
  const replies = await client.deliver([proxyAddress], Buffer.from(file.replaceAll("\n", "\r\n"), "latin1"));
  client.destroy();
  const [emailId] = emailIds(replies.at(-1) ?? "");
  const attachments = await eventually(() => {
    const call = target.received.find(({ body }) => body["id"] === emailId);
    if (!call) throw new Error("it was not called yet");
    return call.body["attachments"] as { filename: string }[];
  });
  expect(attachments.map(({ filename }) => filename)).toEqual(files);
});
