import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { capturedMail } from "../support/mail/captured-mail.ts";
import { newAccount } from "./support/accounts.ts";
import { type Answer, askAt } from "./support/ask.ts";
import { bindingsOf, freshName, madeBinding, unverified, verified } from "./support/bindings.ts";
import { contractInstallation } from "./support/installation.ts";
import { titled } from "./support/titles.ts";

/** The path of the link that was sent to an address. */
async function linkTo(address: string): Promise<string> {
  const { dataDir } = await contractInstallation();
  return eventually(async () => {
    const mail = (await capturedMail(join(dataDir, "outbound"))).find(({ envelopeTo }) => envelopeTo === address);
    return new URL(/https?:\/\/\S+\/verify\/\S+/.exec(String(mail?.message))?.[0] ?? "").pathname;
  });
}

async function open(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { url } = await contractInstallation();
  return askAt(url, { method, path, headers });
}

function expectPage(answer: Answer, status: number, title: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    vary: expect.stringContaining("Accept-Language"),
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });
  expect(answer.text).toContain(`<h1>${title}</h1>`);
}

test("opening the link verifies nothing, its button does, once", async () => {
  const anna = await newAccount("anna");
  const address = `${freshName()}@example.net`;
  await madeBinding(anna, { real_addresses: [address] });
  const stateOf = async () =>
    (await bindingsOf(anna))["data"]?.["0"]?.["attributes"]?.["real_addresses"]?.[address] as unknown;
  const path = await linkTo(address);
  for (const method of ["GET", "HEAD", "GET"]) expect((await open(method, path)).status).toBe(200);
  const asked = await open("GET", path);
  expectPage(asked, 200, "Is this address yours?");
  expect(asked.text).toContain('<form method="post"><button type="submit">');
  expect(asked.text).toContain(address);
  expect(await stateOf()).toEqual({ ...unverified, is_verification_needed: true });
  expectPage(await open("POST", path), 200, "Verified");
  expect(await stateOf()).toEqual({ ...verified, is_verification_needed: false });
  for (const method of ["GET", "POST"]) expectPage(await open(method, path), 410, "This link does not work");
});

test.each(titled(["x", "%00", "%3Cscript%3E", "..%2f", "x".repeat(4_000), "A".repeat(43)]))(
  "no link: /verify/ and %s",
  async (_title, token) => {
    for (const method of ["GET", "POST"]) {
      const answer = await open(method, `/verify/${token}`);
      expectPage(answer, 404, "This link does not work");
      expect(answer.text).toMatch(/Reference: [0-9a-f-]{36}/);
      expect(answer.text).not.toContain("<script>");
    }
  },
);

test("it speaks German to whoever would rather read that than English", async () => {
  const anna = await newAccount("anna");
  const address = `${freshName()}@example.net`;
  await madeBinding(anna, { real_addresses: [address] });
  const [path, headers] = [await linkTo(address), { "accept-language": "de-CH, de;q=0.9, en;q=0.8" }];
  const asked = await open("GET", path, headers);
  expectPage(asked, 200, "Ist das Ihre Adresse?");
  expect(asked.text).toContain('<html lang="de">');
  expectPage(await open("POST", path, headers), 200, "Bestätigt");
  const again = await open("POST", path, headers);
  expectPage(again, 410, "Dieser Link funktioniert nicht");
  expect(again.text).toContain("Dieser Link ist abgelaufen oder wurde schon verwendet.");
});

test("what is no encoding is the client's fault, and another method is not taken", async () => {
  expectPage(await open("GET", "/verify/%ff"), 400, "This link does not work");
  const answer = await open("PUT", "/verify/x");
  expectPage(answer, 405, "This link does not work");
  expect(answer.headers["allow"]).toBe("GET, HEAD, POST");
});

test("the documentation is read, and nothing else", async () => {
  for (const path of ["/docs", "/docs/api", "/openapi.json"]) {
    expect((await open("HEAD", path)).status).toBe(200);
    const answer = await open("POST", path);
    expect(answer.status).toBe(405);
    expect(answer.headers["allow"]).toBe("GET, HEAD");
  }
});
