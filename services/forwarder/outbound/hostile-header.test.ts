import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@jest/globals";
import { headerField, parseFields, unfoldedBody } from "../../message/header/fields.ts";
import { readBounce } from "../bounces/read-bounce.ts";
import { describeOriginal } from "../reports/original.ts";
import { arcSet } from "../signing/arc.ts";
import { dkimSignatures } from "../signing/dkim.ts";
import { Signable } from "../signing/signable.ts";
import { withoutForgedResults } from "./our-authentication-results.ts";
import { withOwnFrom } from "./rewrite-from.ts";

// As in ingress: what takes a time that grows with the square of a header's length takes minutes here.

const sizeChars = 500_000;
const runs = [" ", "\t", "\r\n ", "a ", '"', "(", "\\", ","].map((unit) => unit.repeat(sizeChars / unit.length));
const { privateKey } = generateKeyPairSync("ed25519");
const key = { selector: "test", algorithm: "ed25519-sha256" as const, privateKey };

test.each(["From", "Precedence", "Content-Type", "Authentication-Results", "ARC-Seal"])(
  "%s of half a megabyte is read and signed",
  async (name) => {
    for (const run of runs) {
      const fields = parseFields(Buffer.from(`From: a@x.example\r\n${name}: a${run}b\r\n`));
      expect(describeOriginal(fields).isAnswerable).toBe(true);
      expect(withoutForgedResults(fields, "postern.example")).toBe(fields);
      expect(withOwnFrom(fields, "proxy@postern.example").filter((field) => field.name === "from")).toHaveLength(1);
      const domain = "postern.example";
      const message = new Signable({ fields, bodyHash: "", signedAtS: 0 });
      expect(dkimSignatures(message, { domain, keys: [key] })[0]?.name).toBe("dkim-signature");
      expect(arcSet(message, { domain, key, chainState: "pass", results: "x" })).toHaveLength(3);
    }
  },
);

test("a Subject of half a megabyte is not sent back to anybody", () => {
  const fields = parseFields(Buffer.from(`Date: now\r\nSubject: ${"a".repeat(sizeChars)}\r\nSubject: another\r\n`));
  expect(describeOriginal(fields).shown.map(({ raw }) => raw)).toEqual(["Date: now"]);
});

test("a bounce made of white space is read", () => {
  for (const run of runs) {
    const words = `From: mailer-daemon\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n550 5.1.1 no${run}=\r\nbody`;
    expect(readBounce(Buffer.from(words), true, "real@x.example")?.kind).toBe("failed");
    const status = `Content-Type: message/delivery-status\r\n\r\nAction: failed ${run}(no)\r\nStatus: 5.1.1\r\n`;
    expect(() => readBounce(Buffer.from(status), true, "real@x.example")).not.toThrow();
  }
});

test("white space around a value goes, and none else", () => {
  const [field] = parseFields(Buffer.from("X:\t \r\n  a\u00a0 b\u00a0\t \r\n\t\r\n", "latin1"));
  expect(field && unfoldedBody(field)).toBe("a\u00a0 b\u00a0");
  const [blank] = parseFields(Buffer.from("X: \t \r\n"));
  expect(blank && unfoldedBody(blank)).toBe("");
});

test("a space before a soft line break is content (RFC 2045 section 6.7)", () => {
  const message =
    "From: mailer-daemon\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n550 5.1.1 no =\r\nmailbox\r\n";
  expect(readBounce(Buffer.from(message), true, "real@x.example")?.response).toBe("550 5.1.1 no mailbox");
});

test("a message with 100,000 fields that are signed is signed", () => {
  const fields = Array.from({ length: 100_000 }, (_, index) => headerField(`Content-${index}${"x".repeat(40)}`, ""));
  const message = new Signable({ fields: [headerField("From", "a@x.example"), ...fields], bodyHash: "", signedAtS: 0 });
  const [signature] = dkimSignatures(message, { domain: "postern.example", keys: [key] });
  expect(signature?.raw.match(/content-\d+x/g)?.length).toBe(2 * fields.length);
});
