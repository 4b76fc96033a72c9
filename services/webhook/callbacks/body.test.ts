import { expect, test } from "@jest/globals";
import { callbackBody, receivedAtForm } from "./body.ts";

test("the day is written with two digits, and in UTC whatever the machine thinks", () => {
  expect(receivedAtForm(new Date("2024-01-20T02:00:46.999Z"))).toBe("Sat Jan 20 2024 02:00:46 GMT+0000");
  expect(receivedAtForm(new Date("2023-12-31T23:59:59Z"))).toBe("Sun Dec 31 2023 23:59:59 GMT+0000");
  expect(receivedAtForm(new Date("2024-02-01T00:00:00Z"))).toBe("Thu Feb 01 2024 00:00:00 GMT+0000");
});

test("the bytes are the same whenever they are made, and valid UTF-8 even of an unpaired surrogate", () => {
  const content = {
    payload: { b: "\ud800", a: "\u0000", 2: "two", 1: "one" },
    attachments: [],
    recipient: "proxy@postern.localhost",
    receivedAt: "2024-01-20T02:00:46.000Z",
  };
  const user = { accountId: "account", username: "ann@example.org" };
  const body = callbackBody("email", content, user);
  expect(callbackBody("email", structuredClone(content), { ...user })).toEqual(body);
  expect(() => new TextDecoder("utf-8", { fatal: true }).decode(body)).not.toThrow();
  expect(JSON.parse(body.toString())).toMatchObject({ payload: content.payload, attachments: [] });
});
