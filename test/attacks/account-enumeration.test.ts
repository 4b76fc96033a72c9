import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { AuthUnderTest } from "../../services/auth/test-support/auth.ts";
import { observeDatabases } from "../../services/platform/db/observe.ts";
import { eventually } from "../support/eventually.ts";
import { AttackedInstallation, password } from "./support/accounts.ts";

// Somebody wants to know who has an account, by what is answered, and by what is done before the answer.

let attacked: AttackedInstallation;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
}, 200_000);
afterAll(() => attacked.dispose());

const signUp = `mutation ($username: String!, $password: String!) {
  signUp(username: $username, password: $password) {
    token expiresAt account { id username isUsernameVerified twoFactorEnabled apiToken sessions { id } quota { used } }
  }
}`;
const requestReset = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
const signIn = `mutation ($username: String!, $password: String!) { signIn(username: $username, password: $password) { token } }`;

/** An answer without what is different in each. */
async function shapeOf(query: string, variables: Record<string, string>): Promise<string> {
  const outcome = await attacked.client().ask(query, variables);
  return JSON.stringify(outcome).replaceAll(/[\w.-]+@example\.org|[0-9a-f-]{36}|\d{4}-\d\d-[^"]*/g, "");
}

describe("the answer is the same for who has an account and who has none", () => {
  test("at sign-up; the mails tell each what is so", async () => {
    const { username } = await attacked.owner();
    const nobody = "nobody-signs-up@example.org";
    expect(await shapeOf(signUp, { username, password })).toBe(await shapeOf(signUp, { username: nobody, password }));
    await eventually(async () => {
      expect((await attacked.mailsTo(username)).join()).toContain("already has an account");
      expect((await attacked.mailsTo(nobody)).join()).toContain("/confirm/");
    });
    // Signing in with what was signed up with tells no more.
    const attempts = [username, nobody].map((each) => shapeOf(signIn, { username: each, password: "not the owner's" }));
    const [toKnown, toNobody] = await Promise.all(attempts);
    expect(toKnown).toBe(toNobody);
    expect(await shapeOf(signIn, { username: nobody, password })).toBe(toNobody);
  });

  test("at a password's reset", async () => {
    const { username } = await attacked.owner();
    const nobody = "nobody-forgot@example.org";
    expect(await shapeOf(requestReset, { username })).toBe(await shapeOf(requestReset, { username: nobody }));
    await eventually(async () => expect((await attacked.mailsTo(username)).join()).toContain("/reset/"));
    expect(await attacked.mailsTo(nobody)).toEqual([]);
  });
});

describe("the work before the answer is the same", () => {
  let auth: AuthUnderTest;
  beforeAll(async () => {
    auth = await AuthUnderTest.start();
  });
  afterAll(async () => {
    observeDatabases(undefined);
    await auth.stop();
  });

  /** The statements that a request runs. Passwords are hashed once for each, whoever it is; hashing is no statement. */
  async function statementsOf(query: string, username: string): Promise<string[]> {
    const statements: string[] = [];
    observeDatabases((call, run) => {
      statements.push(`${call.operation} ${call.sql ?? ""}`);
      return run();
    });
    await auth.ask(query, { username, password });
    observeDatabases(undefined);
    return statements;
  }

  test.each([
    ["at sign-up", signUp.replace("quota { used }", "")],
    ["at a password's reset", requestReset],
  ])("%s", async (_where, query) => {
    await auth.client.addAccount({ username: `known-${query.length}@example.org`, password });
    const forKnown = await statementsOf(query, `known-${query.length}@example.org`);
    expect(forKnown.length).toBeGreaterThan(0);
    expect(forKnown).toEqual(await statementsOf(query, `nobody-${query.length}@example.org`));
    // Nobody's account is looked at.
    expect(forKnown.join("\n")).not.toMatch(/\b(from|update|into) account\b/);
  });
});
