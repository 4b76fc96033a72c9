import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { callbackBody, callbackContent, formatReceivedAt, shortCallbackBody } from "./body.ts";

test("the day is written with two digits, and in UTC whatever the machine thinks", () => {
  expect(formatReceivedAt(new Date("2024-01-20T02:00:46.999Z"))).toBe("Sat Jan 20 2024 02:00:46 GMT+0000");
  expect(formatReceivedAt(new Date("2023-12-31T23:59:59Z"))).toBe("Sun Dec 31 2023 23:59:59 GMT+0000");
  expect(formatReceivedAt(new Date("2024-02-01T00:00:00Z"))).toBe("Thu Feb 01 2024 00:00:00 GMT+0000");
});

const head = {
  attachments: [],
  recipient: "proxy@postern.localhost",
  receivedAt: "2024-01-20T02:00:46.000Z",
  isTruncated: false,
};
const user = { accountId: "account", username: "ann@example.org" };

const streamOf = (given: object, payload: string) =>
  Readable.from([`${JSON.stringify(given)}\n${payload.slice(0, 5)}`, payload.slice(5)], { objectMode: false });

test("the bytes are the same whenever they are made, and valid UTF-8 even of an unpaired surrogate", async () => {
  const payload = { b: "\ud800", a: "\u0000", 2: "two", 1: "one" };
  const body = Buffer.concat(shortCallbackBody("email", head, payload, user));
  expect(Buffer.concat(shortCallbackBody("email", { ...head }, { ...payload }, { ...user }))).toEqual(body);
  const streamed = await callbackBody("email", await callbackContent(streamOf(head, JSON.stringify(payload))), user);
  expect(Buffer.concat(streamed)).toEqual(body);
  expect(() => new TextDecoder("utf-8", { fatal: true }).decode(body)).not.toThrow();
  expect(JSON.parse(body.toString())).toEqual({
    id: "email",
    payload,
    attachments: [],
    recipient: { address: "proxy@postern.localhost" },
    receivedAt: "Sat Jan 20 2024 02:00:46 GMT+0000",
    user: { id: "account", username: "ann@example.org" },
  });
});

test("what is not whole says so", async () => {
  const body = await callbackBody("email", await callbackContent(streamOf({ ...head, isTruncated: true }, "{}")), user);
  expect(JSON.parse(Buffer.concat(body).toString())).toMatchObject({ is_truncated: true });
});
