import { expect, test } from "@jest/globals";
import { headerField } from "../../message/header/fields.ts";
import { refuseLoops } from "./received-fields.ts";

const hop = headerField(
  "Received",
  "from a.example by b.example with ESMTP id 1 for <x@b.example>; Tue, 20 Jan 2026 12:00:00 +0000",
);
const ours = (recipient: string) =>
  headerField(
    "Received",
    `from a.example ([192.0.2.1])\r\n\tby postern.example with ESMTPS id 0190\r\n\tfor <${recipient}>;\r\n\tTue, 20 Jan 2026 12:00:00 +0000`,
  );

test("100 hops are taken, one more is not", () => {
  const hundred = Array.from({ length: 100 }, () => hop);
  refuseLoops([headerField("Subject", "x"), ...hundred], ["x@postern.example"], "postern.example");
  expect(() => refuseLoops([hop, ...hundred], [], "postern.example")).toThrow("5.4.6");
});

test("our own trace for the same recipient is a loop; for another, or by another's name, it is a way", () => {
  const recipients = ["Proxy@postern.example", "proxy@postern.example"];
  expect(() => refuseLoops([hop, ours("PROXY@Postern.example")], recipients, "postern.example")).toThrow("5.4.6");
  refuseLoops([hop, ours("other@postern.example")], recipients, "postern.example");
  refuseLoops([ours("proxy@postern.example")], recipients, "elsewhere.example");
});

test("who has been here three times is going round, whomever it was for: ten targets each would make a million of one message", () => {
  const thrice = ["a", "b", "c"].map((name) => ours(`${name}@postern.example`));
  refuseLoops(thrice.slice(1), ["d@postern.example"], "postern.example");
  expect(() => refuseLoops([hop, ...thrice], ["d@postern.example"], "postern.example")).toThrow("5.4.6");
  refuseLoops([hop, ...thrice], ["d@elsewhere.example"], "elsewhere.example");
});
