import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import { expect, test } from "@jest/globals";
import { InternalError, Outage } from "../../platform/errors.ts";
import { SigningThread, signingThread } from "./signing-thread.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
const ed25519 = generateKeyPairSync("ed25519").privateKey;

function isSignature(signature: string, key: KeyObject, input: string): boolean {
  const signed = Buffer.from(input, "latin1");
  const [algorithm, data] =
    key.asymmetricKeyType === "rsa" ? ["sha256", signed] : [null, createHash("sha256").update(signed).digest()];
  return verify(algorithm, data, createPublicKey(key), Buffer.from(signature, "base64"));
}

test("signatures asked for together are each by their own key and over their own input", async () => {
  const inputs = Array.from({ length: 100 }, (_, index) => ({
    key: index % 3 ? rsa : ed25519,
    input: `\xe9 ${index}`,
  }));
  const signatures = await Promise.all(inputs.map(({ key, input }) => signingThread.sign(key, input)));
  inputs.forEach(({ key, input }, index) => {
    expect(isSignature(signatures[index] ?? "", key, input)).toBe(true);
  });
});

test("long headers are signed in batches that the thread has room for", async () => {
  const inputs = Array.from({ length: 150 }, (_, index) => String(index).padEnd(1_000_000));
  const signatures = await Promise.all(inputs.map((input) => signingThread.sign(ed25519, input)));
  inputs.forEach((input, index) => {
    expect(isSignature(signatures[index] ?? "", ed25519, input)).toBe(true);
  });
});

test("a key that cannot sign fails its own signature alone", async () => {
  const { privateKey } = generateKeyPairSync("x25519");
  const [failed, signed] = await Promise.allSettled([
    signingThread.sign(privateKey, "a"),
    signingThread.sign(rsa, "b"),
  ]);
  expect(failed).toMatchObject({ status: "rejected", reason: expect.any(InternalError) });
  expect(signed.status === "fulfilled" && isSignature(signed.value, rsa, "b")).toBe(true);
});

test("what ends the thread is an outage of the signatures that it was to make, and the next have another", async () => {
  const ending = 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(1));';
  const thread = new SigningThread(new URL(`data:text/javascript,${encodeURIComponent(ending)}`));
  const sign = () => Promise.allSettled(Array.from({ length: 200 }, () => thread.sign(rsa, "")));
  for (const outcomes of [await sign(), await sign()])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(Outage) });
});
