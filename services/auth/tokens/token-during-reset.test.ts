import { afterEach, expect, test } from "@jest/globals";
import { AuthUnderTest } from "../test-support/auth.ts";
import { duringReset } from "../test-support/during-reset.ts";

const username = "owner@example.org";
const password = "four words in a row";
const clientAddress = "203.0.113.9";
const apiTokenOfMe = "{ me { apiToken } }";
const rotation = "mutation { rotateApiToken { apiToken } }";

let running: AuthUnderTest | undefined;
afterEach(async () => running?.stop());

async function signedIn() {
  const auth = await AuthUnderTest.start();
  running = auth;
  const { id: accountId } = await auth.client.addAccount({ username, password });
  const { id: sessionId, token: bearer } = await auth.client.signIn({ username, password, clientAddress });
  const caller = { accountId, username, isFullyAuthenticated: true, sessionId, isCookie: false };
  return { auth, bearer, caller };
}

const tokenCount = async (auth: AuthUnderTest) => (await auth.db.query("select from api_token")).rowCount;

test("a session that a reset of the password ends gets no API token that outlives it", async () => {
  const { auth, bearer } = await signedIn();
  const outcome = await duringReset(auth, username, () => auth.client.apiToken({ bearer }));
  expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "FreshProofRequired" } });
  expect(await tokenCount(auth)).toBe(0);
});

test.each([apiTokenOfMe, rotation])("nor does it in the graph by %s", async (query) => {
  const { auth, caller } = await signedIn();
  const outcome = await duringReset(auth, username, () => auth.ask(query, {}, { caller }));
  expect(outcome).toMatchObject({ status: "fulfilled", value: { kind: "FreshProofRequired" } });
  expect(await tokenCount(auth)).toBe(0);
});
