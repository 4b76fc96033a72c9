import { generateKeyPairSync } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, jest, test } from "@jest/globals";
import { Signer } from "../signing/signer.ts";
import { SigningKey } from "../signing/signing-key.ts";
import { forwardDelivery } from "../test/delivery.ts";
import { ForwardedMessages } from "./forwarded-messages.ts";

afterEach(() => {
  jest.useRealTimers();
});

test("targets of one email share its signatures; after an hour they are created again, since they end a week later", async () => {
  const timers = ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "setInterval", "performance"] as const;
  jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: [...timers] });
  const { privateKey } = generateKeyPairSync("ed25519");
  const keys = { current: () => new SigningKey("test", "ed25519-sha256", privateKey) };
  const signer = new Signer({ keys, mode: "dkim", domain: "postern.example" });
  const ingress = { rawMessage: async () => Readable.from([Buffer.from("From: a@x.example\r\n\r\nx\r\n")]) };
  const domainKeys = { identityOf: async (domain: string) => ({ domain, keys: [] }) };
  const ownersHeaders = { rewrite: () => Promise.reject(new Error("the binding does not answer")) };
  const messages = new ForwardedMessages({
    ingress,
    signer,
    domainKeys,
    serviceDomain: "postern.example",
    ownersHeaders,
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
