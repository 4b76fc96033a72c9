import { expect, jest, test } from "@jest/globals";
import { incomingHeader } from "../../services/forwarder/answers/incoming/incoming-header.ts";
import { outgoingHeader } from "../../services/forwarder/answers/outgoing/outgoing-header.ts";
import { readAnswerHeader } from "../../services/ingress/answers/answer-header.ts";
import { parseFields } from "../../services/message/header/fields.ts";

// Each identifier costs several MACs, and 512 KiB of header have room for 13,000: half a second of CPU for each copy of the message.

const ids = (count: number) => Array.from({ length: count }, (_, at) => `<id${at}@x.example>`);
const mandatory = "From: a@x.example\r\nDate: Sat, 28 Nov 2026 10:00:00 +0000\r\nMessage-ID: <m@x.example>\r\n";
const fieldsOf = (...lines: string[]) => parseFields(Buffer.from(`${mandatory}${lines.join("\r\n")}\r\n`));
const open = jest.fn((id: string) => (/[05]@/.test(id) ? `<own-${id.slice(1)}` : undefined));

const incoming = (...lines: string[]) => {
  open.mockClear();
  const sides = { reverseAddresses: new Map(), proxyAddress: "p@postern.example", ownDomains: [], isUnverified: false };
  return incomingHeader(fieldsOf(...lines), { ...sides, originalId: open });
};

test("of a forwarded message the last hundred identifiers are looked at, once each", () => {
  const fields = incoming(`References: ${ids(5_000).join("\r\n ")}`, "In-Reply-To: <id5000@x.example>");
  expect(open.mock.calls.length).toBeLessThanOrEqual(100);
  const written = fields.map(({ raw }) => raw).join("");
  expect(written).toContain("<own-id4995@x.example>");
  expect(written).toContain("<own-id5000@x.example>");
  expect(written).not.toContain("<own-id4805@x.example>");
});

test("of many fields no more are than of one", () => {
  incoming(...ids(5_000).flatMap((id) => [`References: ${id}`, `In-Reply-To: ${id}`]));
  expect(open.mock.calls.length).toBeLessThanOrEqual(100);
});

test("of an answer as well, and what is not looked at does not leave", () => {
  expect(readAnswerHeader(fieldsOf(`References: ${ids(5_000).join(" ")}`))?.threadIds).toEqual(ids(5_000).slice(-100));
  const isSealed = jest.fn((_: string) => false);
  const fields = outgoingHeader(fieldsOf(`References: ${ids(5_000).join(" ")}`), {
    ...{ proxyAddress: "p@postern.example", displayName: "", serviceDomain: "postern.example", isAutomatic: false },
    ...{ authorDomain: "x.example", contactDomain: "y.example", outside: () => undefined, originalId: () => undefined },
    isSealed,
    seal: (id) => id.replace("@x.example", "@sealed.example"),
  });
  expect(isSealed.mock.calls.length).toBeLessThanOrEqual(400);
  const written = fields.map(({ raw }) => raw).join("");
  expect(written).toContain("<id4999@sealed.example>");
  expect(written).not.toContain("<id100@");
});
