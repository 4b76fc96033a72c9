import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { classifyReply } from "../replies/classify-reply.ts";
import { composeReport } from "./compose-report.ts";
import { describeFailure } from "./failure-description.ts";

const describe = (response: string, isExpired = false) => describeFailure(response, classifyReply(response), isExpired);

test.each([
  ["550 5.1.1 <real@x.example>: no such user at mx.x.example", "5.1.1", "550 5.1.1 There is no such mailbox"],
  ["5.1.1 550 gone", "5.1.1", "550 5.1.1 There is no such mailbox"],
  [
    "550 5.7.606 Access denied, banned sending IP",
    "5.7.1",
    "550 5.7.1 The server does not accept mail from this forwarding service",
  ],
  ["541 5.4.1 Mail rejected by destination domain", "5.4.1", "550 5.4.1 The message was refused by policy"],
  ["554 no", "5.1.0", "554 5.1.0 The message was refused"],
  ["5.6.11 The message contains a carriage return or line feed on its own", "5.6.0", "The message is malformed"],
  ["the message is no longer kept, so it cannot be sent", "5.1.0", "The message was refused"],
])("%j is told as %s, %j", (response, status, diagnostic) => {
  expect(describe(response)).toEqual({ status, diagnostic });
});

test("a deferral that was the last is told as its time being over, with the server's code", () => {
  expect(describe("451 4.3.0 later", true)).toEqual({
    status: "5.4.7",
    diagnostic: "451 4.3.0 The server had trouble",
  });
});

const documented = readFileSync(new URL("../replies/documented-replies.txt", import.meta.url), "utf8")
  .split("\n")
  .flatMap((line) => (line === "" || line.startsWith("#") ? [] : [line.slice(line.indexOf(" | ") + 3)]));

test("no word of a server is in a report, however it names the address or the provider", () => {
  const label = fc
    .stringMatching(/^[a-z][a-z0-9]{7,12}$/)
    .filter((text) => !/example|postern|report|boundary/.test(text));
  const inReport = (response: string) => {
    const at = new Date("2026-01-20T12:00:00Z");
    const names = { id: "id", serviceName: "postern", serviceDomain: "postern.example" };
    const whom = { author: "author@sender.example", proxyAddress: "p@postern.example" };
    const times = { receivedAt: at, reportedAt: at };
    return composeReport({ ...names, ...whom, ...times, ...describe(response), original: undefined })
      .toString()
      .replaceAll(/report-[\da-f]{24}/g, "report");
  };
  fc.assert(
    fc.property(fc.constantFrom(...documented), label, label, fc.nat(7), (reply, local, domain, form) => {
      const address = `${local}@${domain}.example`;
      const forms = [
        address,
        Buffer.from(address).toString("base64"),
        Buffer.from(address).toString("hex"),
        encodeURIComponent(address),
        `${local} at ${domain} [dot] example`,
        [...address].join(" "),
        `${domain} requires all senders to authenticate`,
        [...address].reverse().join(""),
      ];
      const text = inReport(`${reply} ${forms[form]}`.slice(0, 500)).toLowerCase();
      expect(text).not.toMatch(
        /gmail|google|outlook|hotmail|yahoo|icloud|mimecast|proofpoint|barracuda|spamhaus|yandex|comcast/,
      );
      for (const each of [local, domain, forms[form] ?? ""]) expect(text).not.toContain(each.toLowerCase());
    }),
    { numRuns: 500 },
  );
});
