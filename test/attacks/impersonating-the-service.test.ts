import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import addressparser from "nodemailer/lib/addressparser";
import { OwnNameInstallation, refused, type Sending, taken } from "./support/own-name-installation.ts";

// The service signs what it forwards. A stranger's From in its name, or in that of its organisation, would so pass DMARC at
// the next hop.

let service: OwnNameInstallation;
let proxyAddress: string;

beforeAll(async () => {
  service = await OwnNameInstallation.start();
  proxyAddress = await service.proxyAddress();
});
afterAll(() => service.dispose());

function send(header: string, options: Sending = {}) {
  return service.send(header, { recipients: [proxyAddress], ...options });
}

/** What left is from the proxy address alone; its display name. */
async function expectReplaced(mark: string): Promise<string> {
  const [from = "", ...others] = await service.fromOf(mark);
  expect(others).toEqual([]);
  const [shown, ...more] = addressparser(from, { flatten: true });
  expect([shown?.address, ...more]).toEqual([proxyAddress]);
  return decoded(shown?.name ?? "").normalize("NFKC");
}

describe("postmaster's own name", () => {
  test.each([
    ["as it is", "From: postmaster@fwd.corp.example\r\n"],
    ["in other letters", "From: Service <PostMaster@FWD.Corp.Example>\r\n"],
    ["with spaces", "From: postmaster @ fwd . corp . example\r\n"],
    ["with a fold and comments", "From: (x) postmaster (y)\r\n\t@ (z) fwd.(q)corp.example (r)\r\n"],
    ["quoted", 'From: "postmaster"@fwd.corp.example\r\n'],
    ["quoted with a needless escape", 'From: "post\\master"@fwd.corp.example\r\n'],
    ["with a route", "From: <@a.example,@b.example:postmaster@fwd.corp.example>\r\n"],
    ["in a group", "From: Staff: x@attacker.example, postmaster@fwd.corp.example;\r\n"],
    ["with an ideographic full stop", "From: postmaster@fwd。corp.example\r\n"],
    ["with a final dot", "From: postmaster@fwd.corp.example.\r\n"],
    ["behind a comma that is quoted", 'From: "a, b" <postmaster@fwd.corp.example>\r\n'],
    ["with a subaddress", "From: support+x@fwd.corp.example\r\n"],
    ["as the second author", "From: x@attacker.example, postmaster@fwd.corp.example\r\n"],
    ["in the first of two fields", "From: postmaster@fwd.corp.example\r\nFrom: x@attacker.example\r\n"],
    ["in the second of two fields", "From: x@attacker.example\r\nFrom: postmaster@fwd.corp.example\r\n"],
    ["with blanks before the colon", "From \t: postmaster@fwd.corp.example\r\n"],
    ["with a fold before the colon", "From\r\n : postmaster@fwd.corp.example\r\n"],
    [
      "under a signature in its name that is none",
      `DKIM-Signature: v=1; a=rsa-sha256; d=fwd.corp.example; s=none; h=from; bh=AA==; b=AA==\r\nFrom: postmaster@fwd.corp.example\r\n`,
    ],
  ])("%s", async (_, header) => {
    expect((await send(header)).reply).toBe(refused);
  });

  test("with a pause longer than the time for all lookups", async () => {
    expect((await send("From: postmaster@fwd.corp.example\r\n", { pauseMs: 6_000 })).reply).toBe(refused);
  });

  // Our own keys are known without DNS; no other could prove it.
  test.each(["attacker.example", "fwd.corp.example"])(
    "beside a signature of %s whose key cannot be looked up",
    async (domain) => {
      const tags = `v=1; a=rsa-sha256; d=${domain}; s=failing; h=from; bh=Ck5SoRNWUpSR4X0COv7R5ub2pUTtl6xz4dTFz++ji4M=; b=AA==`;
      const header = `DKIM-Signature: ${tags}\r\nFrom: postmaster@fwd.corp.example\r\n`;
      expect((await send(header)).reply).toBe(refused);
    },
  );

  test("where SPF could prove it, and cannot be looked up for now", async () => {
    const sender = "x@failing.corp.example";
    for (const author of ["postmaster@fwd.corp.example", "ceo@corp.example"])
      expect((await send(`From: ${author}\r\n`, { sender })).reply).toBe("451 4.7.0");
  });

  test("with postmaster among the recipients", async () => {
    const recipients = ["postmaster", proxyAddress];
    expect((await send("From: postmaster@fwd.corp.example\r\n", { recipients })).reply).toBe(refused);
  });
});

describe("a name that is the service's to sign for", () => {
  test.each([
    ["of the organisation, whose policy asks for nothing", "From: CEO <ceo@corp.example>\r\n"],
    ["of a neighbour", "From: CEO <ceo@other.corp.example>\r\n"],
    ["of another proxy address", "From: somebody@fwd.corp.example\r\n"],
    ["behind a From of 17 kB", `From: ${"a".repeat(900).concat("\r\n ").repeat(19)} <ceo@corp.example>\r\n`],
    ["beside another author", "From: x@attacker.example, ceo@corp.example\r\n"],
    ["in the second of two fields", "From: x@attacker.example\r\nFrom: ceo@corp.example\r\n"],
    ["beside a folded second field", "From: x@attacker.example\r\nFrom\r\n : ceo@corp.example\r\n"],
    ["in front of the address", "From: postmaster@fwd.corp.example <x@attacker.example>\r\n"],
    ["in one of two addresses", "From: <x@attacker.example> <postmaster@fwd.corp.example>\r\n"],
    ["after two at signs", "From: x@attacker.example@fwd.corp.example\r\n"],
    ["in a literal", "From: Service [postmaster@fwd.corp.example]\r\n"],
    ["in a quoted string that has no end", 'From: "Service <postmaster@fwd.corp.example>\r\n'],
    ["in an address that has no end", "From: Service <postmaster@fwd.corp.example\r\n"],
    ["behind a NUL", "From: postmaster@fwd.corp.example\0.attacker.example\r\n"],
    ["in an encoded word alone", "From: =?utf-8?q?postmaster=40fwd.corp.example?=\r\n"],
    ["in a name", "From: postmaster\r\n"],
  ])("%s", async (_, header) => {
    const { reply, mark } = await send(header);
    // Where it can only be postmaster's, or has a NUL in it.
    if (reply === refused || (header.includes("\0") && reply === "550 5.6.0")) return;
    expect(reply).toBe(taken);
    // Without the NUL that name is the attacker's own.
    expect(await expectReplaced(mark)).not.toMatch(/corp\.example(?!\.attacker)/);
  });
});

describe("a name of the service's on the screen", () => {
  test.each([
    ["quoted", '"postmaster@fwd.corp.example"'],
    ["encoded", "=?utf-8?q?Service_postmaster=40fwd=2Ecorp=2Eexample?="],
    ["in two encoded words", "=?utf-8?b?cG9zdG1hc3Rlcg==?= =?utf-8?b?QGZ3ZC5jb3JwLmV4YW1wbGU=?="],
    ["in words", '"postmaster at fwd.corp.example"'],
    ["of the organisation", '"ceo@corp.example"'],
    ["around another", '"ceo@corp. @ corp . example example"'],
    ["in wide letters", '"ceo＠corp．example"'],
  ])("%s", async (_, name) => {
    // The policy of bank.example makes From the proxy address.
    const { reply, mark } = await send(`From: ${name} <x@bank.example>\r\n`);
    expect(reply).toBe(taken);
    const shown = await expectReplaced(mark);
    expect(shown).not.toMatch(/corp\s*\.\s*example/);
    expect(shown).toContain("(x at bank.example)");
  });
});

function decoded(name: string): string {
  return name
    .replace(/(\?=)\s+(=\?)/g, "$1$2")
    .replace(/=\?utf-8\?b\?([^?]*)\?=/gi, (_all, text: string) => Buffer.from(text, "base64").toString())
    .replace(/=\?utf-8\?q\?([^?]*)\?=/gi, (_all, text: string) =>
      Buffer.from(
        text
          .replaceAll("_", " ")
          .replace(/=([\da-f]{2})/gi, (_hex, code) => String.fromCharCode(Number.parseInt(code, 16))),
        "latin1",
      ).toString(),
    );
}
