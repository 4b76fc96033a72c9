import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { eventually } from "../support/eventually.ts";
import { capturedMail } from "../support/mail/captured-mail.ts";
import { newAccount } from "./support/accounts.ts";
import { askAt } from "./support/ask.ts";
import { freshName } from "./support/bindings.ts";
import { contractInstallation } from "./support/installation.ts";

// Mails with links are in the language that the pages behind the links would have for the same request.

/** The one mail to an address. */
async function mailTo(address: string) {
  const { dataDir } = await contractInstallation();
  return eventually(async () => {
    const mail = (await capturedMail(join(dataDir, "outbound"))).find(({ envelopeTo }) => envelopeTo === address);
    if (mail === undefined) throw new Error(`no mail to ${address}`);
    const source = String(mail.message);
    const { subject = "", text = "" } = await simpleParser(source);
    return { source, subject, text };
  });
}

async function postTo(
  path: string,
  language: string | undefined,
  body: unknown,
  credentials: Record<string, string> = {},
): Promise<void> {
  const { url } = await contractInstallation();
  const headers: Record<string, string> = { "content-type": "application/json", ...credentials };
  if (language !== undefined) headers["accept-language"] = language;
  const { status, text } = await askAt(url, { method: "POST", path, headers, body });
  expect([Math.floor(status / 100), text]).toEqual([2, expect.not.stringContaining('"errors"')]);
}

const password = "four words in a row";

/** Each request that causes a mail with a link, and what the subject of its mail has. */
const requests: [string, (language: string | undefined, address: string) => Promise<void>, string, string][] = [
  [
    "a sign-up by REST",
    (language, username) =>
      postTo("/api/v1/users", language, { data: { type: "users", attributes: { username, password } } }),
    "Bestätigen Sie Ihre Adresse für",
    "Confirm your address for",
  ],
  [
    "a sign-up by the graph",
    (language, username) =>
      postTo("/graphql", language, {
        query: "mutation ($u: String!, $p: String!) { signUp(username: $u, password: $p) { expiresAt } }",
        variables: { u: username, p: password },
      }),
    "Bestätigen Sie Ihre Adresse für",
    "Confirm your address for",
  ],
  [
    "a target by REST",
    async (language, address) => {
      const { token } = await newAccount();
      const attributes = { real_addresses: [address] };
      const data = { type: "proxy_bindings", attributes };
      await postTo("/api/v1/proxy-bindings", language, { data }, { token });
    },
    "Bestätigen Sie, dass E-Mails an Sie weitergeleitet werden dürfen",
    "Confirm that mail may be forwarded to you",
  ],
  [
    "a target by the graph",
    async (language, address) => {
      const { token } = await newAccount();
      const query = "mutation ($a: [String!]) { createProxyBinding(input: { realAddresses: $a }) { isCreated } }";
      await postTo("/graphql", language, { query, variables: { a: [address] } }, { token });
    },
    "Bestätigen Sie, dass E-Mails an Sie weitergeleitet werden dürfen",
    "Confirm that mail may be forwarded to you",
  ],
];

describe.each(requests)("the mail of %s", (_title, ask, german, english) => {
  test("is in German for who would rather read that, its subject in encoded words (RFC 2047), its link whole", async () => {
    const address = `${freshName()}@example.net`;
    await ask("de-CH, de;q=0.9, en;q=0.8", address);
    const { source, subject, text } = await mailTo(address);
    expect(subject).toContain(german);
    expect(source).toMatch(/^Subject: =\?UTF-8\?[QB]\?/im);
    expect(source).toMatch(/^[\t\r\n -~]*$/);
    expect(text).toMatch(/^ {4}https?:\/\/\S+\/(?:confirm|verify)\/[\w-]{43}$/m);
    expect(text).toContain(address);
  });

  test.each([undefined, "en, de", "fr"])("is in English for who asks for %s", async (language) => {
    const address = `${freshName()}@example.net`;
    await ask(language, address);
    expect((await mailTo(address)).subject).toContain(english);
  });
});

test("the mail of a request for a new password is in its language", async () => {
  const query = "mutation ($u: String!) { requestPasswordReset(username: $u) { isAccepted } }";
  for (const [language, subject] of [
    ["de", "Wählen Sie ein neues Passwort für"],
    ["en", "Choose a new password for"],
  ] as const) {
    const { username } = await newAccount();
    await postTo("/graphql", language, { query, variables: { u: username } });
    expect((await mailTo(username)).subject).toContain(subject);
  }
});
