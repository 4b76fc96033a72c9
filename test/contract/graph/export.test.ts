import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/send-mail.ts";
import { graphInstallation } from "./support/installation.ts";
import { madeBinding, newcomer, type Person } from "./support/people.ts";

// A fleet takes its time to start.
beforeAll(() => graphInstallation(), 200_000);

async function download(headers: Readonly<Record<string, string>>): Promise<Response> {
  const { url } = await graphInstallation();
  return fetch(`${url}/export`, { headers });
}

const bearer = (person: Person) => ({ authorization: `Bearer ${person.bearer}` });

test("an account's data are one download, and hold nothing of anybody else's", async () => {
  const { smtpPort } = await graphInstallation();
  const [person, other] = await Promise.all([newcomer(), newcomer()]);
  const binding = await madeBinding(person, { isBrowsable: true, description: "For the newspaper" });
  const theirs = await madeBinding(other, { isBrowsable: true });
  await sendMail(smtpPort, { to: binding.proxyAddress, subject: "Kept for me", text: "All of it" });
  await sendMail(smtpPort, { to: theirs.proxyAddress, subject: "Not for me", text: "None of it" });
  const recorder = (await person.get(`mutation { createRecorder { recorder { id callUrl } } }`))["createRecorder"];
  await fetch(String(recorder?.["recorder"]?.["callUrl"]), { method: "PUT", body: "a call" });

  await eventually(async () => {
    const answer = await download(bearer(person));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\d-]+-account\.json"$/);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    const text = await answer.text();
    const found = JSON.parse(text);
    expect(found).toMatchObject({
      account: { id: person.id, username: person.username },
      sessions: [{ clientAddress: expect.any(String) }],
      passkeys: [],
      emails: [{ subject: "Kept for me" }],
      recorders: [{ hash: recorder?.["recorder"]?.["id"], calls: [{ method: "PUT" }] }],
    });
    expect(found.proxyBindings).toContainEqual(
      expect.objectContaining({ id: binding.id, description: "For the newspaper" }),
    );
    expect(text).toContain("All of it");
    for (const foreign of [other.id, other.username, theirs.id, theirs.proxyAddress, "Not for me"])
      expect(text).not.toContain(foreign);
    // Nor what opens the account.
    expect(text).not.toMatch(/argon2|whsec_|pst_/);
  });
});

test("it is for who has signed in", async () => {
  for (const [headers, status] of [
    [{}, 401],
    [{ authorization: "Bearer nonsense" }, 401],
    [{ token: "unknown" }, 403],
  ] as const)
    expect((await download(headers)).status).toBe(status);
});
