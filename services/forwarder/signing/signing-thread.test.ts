import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@jest/globals";
import { headerField } from "../../message/header/fields.ts";
import { InternalError, Outage } from "../../platform/errors.ts";
import { type SigningTask, signMessage } from "./sign-message.ts";
import type { SigningKey } from "./signing-key.ts";
import { SigningThread, signingThread } from "./signing-thread.ts";

const { privateKey: rsaKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const rsa: SigningKey = { selector: "r", algorithm: "rsa-sha256", privateKey: rsaKey };
const ed25519 = ed25519Key("e");

function ed25519Key(selector: string): SigningKey {
  return { selector, algorithm: "ed25519-sha256", privateKey: generateKeyPairSync("ed25519").privateKey };
}

function message(subject: string, keys: readonly SigningKey[]): SigningTask {
  const domain = "postern.example";
  return {
    fields: [headerField("From", "\xe9@x.example"), headerField("Subject", subject)],
    bodyHash: subject,
    signedAtS: 1_800_000_000,
    arc: { domain, key: rsa, chainState: undefined, results: "x.example; none" },
    dkim: { domain, keys },
  };
}

test("messages signed together each get signatures by their own keys over their own fields", async () => {
  const messages = Array.from({ length: 30 }, (_, index) => message(`${index}`, [ed25519Key(`${index}`), rsa]));
  const signed = await Promise.all(messages.map((unsigned) => signingThread.sign(unsigned)));
  // Both algorithms give the same signature for the same input.
  expect(signed).toEqual(messages.map(signMessage));
  expect(signed[0]).toHaveLength(5);
});

test("long headers are signed, however many at once", async () => {
  const messages = Array.from({ length: 50 }, (_, index) => message(`${index}`.padEnd(1_000_000), [ed25519]));
  const signed = await Promise.all(messages.map((unsigned) => signingThread.sign(unsigned)));
  expect(signed).toEqual(messages.map(signMessage));
});

test("a key that cannot sign fails its own message alone", async () => {
  const { privateKey } = generateKeyPairSync("x25519");
  const unsigned = message("b", [ed25519]);
  const [failed, signed] = await Promise.allSettled([
    signingThread.sign(message("a", [{ ...ed25519, privateKey }])),
    signingThread.sign(unsigned),
  ]);
  expect(failed).toMatchObject({ status: "rejected", reason: expect.any(InternalError) });
  expect(signed).toEqual({ status: "fulfilled", value: signMessage(unsigned) });
});

test("what ends the thread is an outage of the messages that it was to sign, and the next have another", async () => {
  const ending = 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(1));';
  const thread = new SigningThread(new URL(`data:text/javascript,${encodeURIComponent(ending)}`));
  const sign = () => Promise.allSettled(Array.from({ length: 50 }, () => thread.sign(message("", [ed25519]))));
  for (const outcomes of [await sign(), await sign()])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(Outage) });
});

test("a thread that cannot start is an outage of every message, and does not end the process", async () => {
  // What throws where the system has no thread left does so here too.
  const thread = new SigningThread(new URL("https://postern.example/"));
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => thread.sign(message("", [ed25519]))));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(Outage) });
});
