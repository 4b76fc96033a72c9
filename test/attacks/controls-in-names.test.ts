import { expect, test } from "@jest/globals";
import { incomingHeader } from "../../services/forwarder/answers/incoming/incoming-header.ts";
import { outgoingHeader } from "../../services/forwarder/answers/outgoing/outgoing-header.ts";
import { withOwnFrom } from "../../services/forwarder/outbound/rewrite-from.ts";
import { parseFields } from "../../services/message/header/fields.ts";

// An address of ours is taken out of a name, and what is left is written anew: a NUL in an encoded-word, which nobody refuses, became
// one in the header, which many servers refuse. Whoever wrote the mail so had it bounce at its real address.

const controls = [...Array(32).keys(), 127].map((code) => String.fromCharCode(code));

test.each(["support@postern.example", "support@postern.\u200bexample"])("none is left in a name without %j", (own) => {
  for (const control of controls) {
    const word = `=?utf-8?B?${Buffer.from(`x${control}y ${own}`).toString("base64")}?=`;
    for (const from of [`${word} <ann@x.example>`, `${word}`, `${word}:;`, `"a" ${word} ${word} <>`]) {
      const fields = parseFields(Buffer.from(`From: ${from}\r\nTo: ${from}\r\nCc: ${word}: b@y.example;\r\n`));
      const sides = {
        ...{ reverseAddresses: new Map(), proxyAddress: "p@postern.example", ownDomains: ["postern.example"] },
        ...{ isUnverified: false, originalId: () => undefined },
      };
      const [replaced] = withOwnFrom(fields, "p@postern.example");
      for (const { raw } of [replaced, ...incomingHeader(fields, sides)].filter((field) => field !== undefined)) {
        expect(raw.replaceAll("\r\n ", " ")).not.toMatch(/\p{Cc}/u);
        expect(raw).toMatch(/^(From|To|Cc):/);
      }
    }
  }
});

test("none is left in the subject of an automatic answer, which repeats what a stranger wrote", () => {
  for (const control of controls) {
    const word = `=?utf-8?B?${Buffer.from(`x${control}y`).toString("base64")}?=`;
    const fields = parseFields(Buffer.from(`Subject: ${word} ann@x.example\r\n`));
    const header = outgoingHeader(fields, {
      ...{ proxyAddress: "p@postern.example", displayName: "", serviceDomain: "postern.example", isAutomatic: true },
      ...{
        authorDomain: "x.example",
        contactDomain: "y.example",
        outside: () => undefined,
        originalId: () => undefined,
      },
      isSealed: () => false,
      seal: (id) => id,
    });
    const subject = header.find(({ name }) => name === "subject")?.raw ?? "";
    expect(subject).toMatch(/^Subject: x.*y \[\.\.\.\]$/);
    expect(subject).not.toMatch(/\p{Cc}/u);
  }
});
