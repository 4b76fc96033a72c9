import { createHash, generateKeyPairSync } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, jest, test } from "@jest/globals";
import { Signer, signingModes } from "../signing/signer.ts";
import { forwardDelivery } from "../test-support/delivery.ts";
import { ForwardedMessages } from "./forwarded-messages.ts";
import { MissingDkimRecords } from "./missing-dkim-records.ts";

afterEach(() => {
  jest.useRealTimers();
});

function noKey(): never {
  throw new Error("nothing is signed");
}

test("targets of one email share its signatures; after an hour they are created again, since they end a week later", async () => {
  const timers = ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "setInterval", "performance"] as const;
  jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: [...timers] });
  const { privateKey } = generateKeyPairSync("ed25519");
  const keys = { current: () => ({ selector: "test", algorithm: "ed25519-sha256" as const, privateKey }) };
  const signer = new Signer({ keys, mode: "dkim", domain: "postern.example" });
  const ingress = { rawMessage: async () => Readable.from([Buffer.from("From: a@x.example\r\n\r\nx\r\n")]) };
  const domainKeys = { identityOf: async (domain: string) => ({ domain, keys: [] }) };
  const incoming = { read: () => Promise.reject(new Error("the binding does not answer")) };
  const messages = new ForwardedMessages({
    ingress,
    signer,
    domainKeys,
    serviceDomain: "postern.example",
    incoming,
  });
  const delivery = forwardDelivery();
  const signedAtS: (string | undefined)[] = [];
  for (const minutes of [0, 59, 61, 119]) {
    jest.setSystemTime(1_800_000_000_000 + minutes * 60_000);
    const { content } = await messages.prepare(delivery);
    const bytes = await buffer(Readable.from(await content.open()));
    signedAtS.push(/; t=(\d+);/.exec(bytes.toString())?.[1]);
  }
  expect(signedAtS).toEqual(["1800000000", "1800000000", "1800003660", "1800003660"]);
});

test("no Delivered-To leaves: servers refuse mail with their recipient's, which would tell a stranger's right guess from a wrong one", async () => {
  const header =
    "delivered-to: owner@home.example\r\nFrom: a@x.example\r\nDelivered-To : guess@home.example\r\nSubject: a\r\n";
  const messages = new ForwardedMessages({
    ingress: { rawMessage: async () => Readable.from([Buffer.from(`${header}\r\nDelivered-To: in the body\r\n`)]) },
    signer: new Signer({ keys: { current: noKey }, mode: "off", domain: "postern.example" }),
    domainKeys: { identityOf: async (domain: string) => ({ domain, keys: [] }) },
    serviceDomain: "postern.example",
    incoming: { read: () => Promise.reject(new Error("the binding does not answer")) },
  });
  const { content } = await messages.prepare(forwardDelivery());
  const bytes = (await buffer(Readable.from(await content.open()))).toString();
  expect(bytes.endsWith("From: a@x.example\r\nSubject: a\r\n\r\nDelivered-To: in the body\r\n")).toBe(true);
  expect(bytes.match(/delivered-to/gi)).toHaveLength(1);
});

test.each([
  ["small", 20],
  ["large", 300_000],
])(
  "no NUL leaves of a %s message that was stored with some, and its signatures are of what leaves",
  async (_size, length) => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const signer = new Signer({
      keys: { current: () => ({ selector: "test", algorithm: "ed25519-sha256" as const, privateKey }) },
      mode: "dkim",
      domain: "postern.example",
    });
    const text = `${"x".repeat(length)}\r\n`;
    const stored = ["From: a@x.example\r\nSubject: a\0b\r\n\r\n", "one\r\n\0.\r", "\0\n", text].map((piece) =>
      Buffer.from(piece),
    );
    const messages = new ForwardedMessages({
      ingress: { rawMessage: async () => Readable.from(stored) },
      signer,
      domainKeys: { identityOf: async (domain: string) => ({ domain, keys: [] }) },
      serviceDomain: "postern.example",
      incoming: { read: () => Promise.reject(new Error("the binding does not answer")) },
    });
    const sizeBytes = Buffer.concat(stored).length;
    const { content } = await messages.prepare({ ...forwardDelivery(), sizeBytes });
    const bytes = (await buffer(Readable.from(await content.open()))).toString();
    expect(bytes).not.toContain("\0");
    const body = `one\r\n.\r\n${text}`;
    expect(bytes.endsWith(`Subject: ab\r\n\r\n${body}`)).toBe(true);
    const hash = createHash("sha256").update(body).digest("base64");
    expect(bytes.replaceAll(/\r\n\s/g, "")).toContain(`bh=${hash}`);
  },
);

test.each(signingModes)(
  "where the binding answers, the rewritten From is signed for by its domain with FORWARD_SIGN=%s",
  async (mode) => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1_024 });
    const keys = { current: () => ({ selector: "test", algorithm: "rsa-sha256" as const, privateKey }) };
    const from = { name: "from", raw: "From: <re+x@postern.example>" };
    const messages = new ForwardedMessages({
      ingress: { rawMessage: async () => Readable.from([Buffer.from("From: a@x.example\r\n\r\nx\r\n")]) },
      signer: new Signer({ keys, mode, domain: "postern.example" }),
      domainKeys: { identityOf: async (domain: string) => ({ domain, keys: [] }) },
      serviceDomain: "postern.example",
      incoming: { read: async () => ({ edits: [], header: () => [from] }) },
    });
    const headerOf = async (answers: boolean) => {
      const delivery = { ...forwardDelivery(), emailId: String(answers), proxyAddress: "p@postern.example", answers };
      const { content } = await messages.prepare(delivery);
      return (await buffer(Readable.from(await content.open()))).toString();
    };
    const answering = await headerOf(true);
    const hash = createHash("sha256").update("x\r\n").digest("base64");
    expect(answering).toMatch(/^DKIM-Signature: [^\0]*; d=postern\.example;/m);
    expect(answering.replaceAll(/\r\n\s/g, "")).toContain(`bh=${hash}`);
    expect(/^ARC-Seal/m.test(answering)).toBe(mode.includes("arc"));
    // What is not rewritten is signed as the variable says.
    expect(/^DKIM-Signature/m.test(await headerOf(false))).toBe(mode.includes("dkim"));
  },
);

test("a subject that has the rule's tag already needs no From of ours, and no keys of the own domain", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const keys = { current: () => ({ selector: "test", algorithm: "ed25519-sha256" as const, privateKey }) };
  const messageWith = (subject: string) =>
    new ForwardedMessages({
      ingress: {
        rawMessage: async () => Readable.from([Buffer.from(`From: a@x.example\r\nSubject: ${subject}\r\n\r\nx\r\n`)]),
      },
      signer: new Signer({ keys, mode: "dkim", domain: "postern.example" }),
      domainKeys: { identityOf: async (domain: string) => ({ domain, keys: [] }) },
      serviceDomain: "postern.example",
      incoming: { read: () => Promise.reject(new Error("the binding does not answer")) },
    }).prepare(forwardDelivery({ proxyAddress: "me@own.example", subjectTag: "[list]", authentication }));
  const { content } = await messageWith("Re: [list] hello");
  const bytes = await buffer(Readable.from(await content.open()));
  expect(bytes.toString()).toContain("\r\nFrom: a@x.example\r\nSubject: Re: [list] hello\r\n");
  await expect(messageWith("hello")).rejects.toBeInstanceOf(MissingDkimRecords);
});

const authentication = {
  authorDomain: "x.example",
  dmarc: "pass",
  policy: "none",
  spf: "pass",
  arc: "none",
  isDkimAligned: true,
  isSpfAligned: true,
};
