import { generateKeyPairSync } from "node:crypto";
import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { Outage } from "../../../platform/errors.ts";
import { MissingDkimRecords } from "../../outbound/missing-dkim-records.ts";
import { Signer, signingModes } from "../../signing/signer.ts";
import type { SigningKey } from "../../signing/signing-key.ts";
import { answerContent, messageIds, realAddress, reverseAddress } from "../../test-support/answer.ts";
import { OutgoingAnswers } from "./outgoing-answers.ts";

test.each(signingModes)(
  "answers are signed for the domain of the proxy address where forwarded mail has %s",
  async (mode) => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const keys = { current: () => ({ selector: "test", algorithm: "ed25519-sha256" as const, privateKey }) };
    const raw = `From: ${realAddress}\r\nDate: Mon, 2 Nov 2026 10:00:00 +0100\r\nMessage-ID: <x@home.example>\r\n\r\nx\r\n`;
    const answers = new OutgoingAnswers({
      ingress: { rawMessage: async () => Readable.from([Buffer.from(raw)]) },
      bindings: { contactAddresses: async () => [] },
      messageIds,
      signer: new Signer({ keys, mode, domain: "proxy.example" }),
      domainKeys: { identityOf: async (domain: string) => ({ domain, keys: [] }) },
      serviceDomain: "proxy.example",
      namedRealAddresses: { isNamed: async () => false },
    });
    const message = await answers.message({ emailId: "1", answer: answerContent } as never);
    expect(message.toString()).toMatch(/^DKIM-Signature: [^\0]*; d=proxy\.example;/);
  },
);

test("an answer from an own domain is signed for it, and never leaves unsigned", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = { selector: "own", algorithm: "ed25519-sha256" as const, privateKey };
  const raw = `From: ${realAddress}\r\nDate: Mon, 2 Nov 2026 10:00:00 +0100\r\nMessage-ID: <x@home.example>\r\n\r\nx\r\n`;
  let reads = 0;
  const rawMessage = async () => {
    reads += 1;
    return Readable.from([Buffer.from(raw)]);
  };
  const messageWith = (keys: SigningKey[]) =>
    new OutgoingAnswers({
      ingress: { rawMessage },
      bindings: { contactAddresses: async () => [] },
      messageIds,
      signer: new Signer({ keys: { current: () => key }, mode: "dkim", domain: "proxy.example" }),
      domainKeys: { identityOf: async (domain: string) => ({ domain, keys }) },
      serviceDomain: "proxy.example",
      namedRealAddresses: { isNamed: async () => false },
    }).message({ emailId: "1", answer: { ...answerContent, proxyAddress: "me@own.example" } } as never);
  expect((await messageWith([key])).toString()).toMatch(/^DKIM-Signature: [^\0]*; d=own\.example;[^\0]*\ss=own;/);
  expect(reads).toBe(1);
  await expect(messageWith([])).rejects.toBeInstanceOf(MissingDkimRecords);
  // It may wait for its keys for days: nothing is composed meanwhile.
  expect(reads).toBe(1);
});

test("an answer that was signed for an own domain does not leave once the domain is another account's, nor with keys that have changed", async () => {
  const keyNamed = (selector: string) => {
    const { privateKey } = generateKeyPairSync("ed25519");
    return { selector, algorithm: "ed25519-sha256" as const, privateKey };
  };
  let keys: SigningKey[] = [keyNamed("first")];
  const raw = `From: ${realAddress}\r\nDate: Mon, 2 Nov 2026 10:00:00 +0100\r\nMessage-ID: <x@home.example>\r\n\r\nx\r\n`;
  const answers = new OutgoingAnswers({
    ingress: { rawMessage: async () => Readable.from([Buffer.from(raw)]) },
    bindings: { contactAddresses: async () => [] },
    messageIds,
    signer: new Signer({ keys: { current: () => keyNamed("service") }, mode: "dkim", domain: "proxy.example" }),
    domainKeys: { identityOf: async (domain: string) => ({ domain, keys }) },
    serviceDomain: "proxy.example",
    namedRealAddresses: { isNamed: async () => false },
  });
  const answer = { emailId: "1", answer: { ...answerContent, proxyAddress: "me@own.example" } } as never;
  expect((await answers.message(answer)).toString()).toContain("s=first;");
  keys = [keyNamed("second")];
  expect((await answers.message(answer)).toString()).toContain("s=second;");
  keys = [];
  await expect(answers.message(answer)).rejects.toBeInstanceOf(MissingDkimRecords);
});

test("an outage of the services that are asked for an answer's content stays one", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const key = { selector: "own", algorithm: "ed25519-sha256" as const, privateKey };
  const raw = `From: ${realAddress}\r\nDate: Mon, 2 Nov 2026 10:00:00 +0100\r\nMessage-ID: <x@home.example>\r\n\r\n${reverseAddress}\r\n`;
  const isOut = () => Promise.reject(new Outage("bindings"));
  const messageFrom = (rawMessage: () => Promise<Readable>) =>
    new OutgoingAnswers({
      ingress: { rawMessage },
      bindings: { contactAddresses: isOut },
      messageIds,
      signer: new Signer({ keys: { current: () => key }, mode: "dkim", domain: "proxy.example" }),
      domainKeys: { identityOf: async (domain: string) => ({ domain, keys: [key] }) },
      serviceDomain: "proxy.example",
      namedRealAddresses: { isNamed: async () => false },
    }).message({ emailId: "1", answer: { ...answerContent, recipients: [], proxyAddress: "me@own.example" } } as never);
  await expect(messageFrom(isOut)).rejects.toBeInstanceOf(Outage);
  await expect(messageFrom(async () => Readable.from([Buffer.from(raw)]))).rejects.toBeInstanceOf(Outage);
});
