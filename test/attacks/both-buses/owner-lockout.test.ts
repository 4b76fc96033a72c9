import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client } from "pg";
import { Authenticator } from "../../support/http/authenticator.ts";
import { AttackedInstallation, password } from "../support/accounts.ts";
import type { GraphClient } from "../support/graph-client.ts";

// A stranger signs in wrongly, again and again, to keep the owner out.

let attacked: AttackedInstallation;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
}, 200_000);
afterAll(() => attacked.dispose());

const signIn = `mutation ($username: String!, $password: String!) {
  signIn(username: $username, password: $password, session: true) { expiresAt }
}`;
const signOut = `mutation { signOut { isSignedOut } }`;

async function guess(username: string, from: readonly string[], times: number): Promise<void> {
  for (const address of from)
    for (let guesses = 0; guesses < times; guesses++)
      await attacked.client({ address }).ask(signIn, { username, password: "a guess" });
}

const kindOf = (client: GraphClient, username: string) => client.kindOf(signIn, { username, password });

test("ten wrong sign-ins by a stranger keep the stranger out, and not the owner at a new place", async () => {
  const { username } = await attacked.owner();
  await guess(username, ["198.51.100.1"], 10);
  expect(await kindOf(attacked.client({ address: "198.51.100.1" }), username)).toBe("RateLimited");
  expect(await kindOf(attacked.client({ address: "203.0.113.1" }), username)).toBe("done");
});

test("wrong sign-ins from many addresses keep strangers out; a browser, an address and a passkey that are known get in", async () => {
  const { username, client } = await attacked.owner();
  const authenticator = new Authenticator(attacked.installation.url);
  const { optionsJson } = await client.field(`mutation { beginPasskeyRegistration { optionsJson } }`);
  await client.field(
    `mutation ($responseJson: String!) { finishPasskeyRegistration(responseJson: $responseJson, name: "key") { passkey { id } } }`,
    { responseJson: authenticator.create(String(optionsJson)) },
  );
  const browser = attacked.client({ address: "203.0.113.2" });
  expect(await kindOf(browser, username)).toBe("done");
  // The session has ended, and the browser is known all the same.
  await browser.field(signOut);
  const addresses = Array.from({ length: 6 }, (_, index) => `198.51.100.${index + 10}`);
  await guess(username, addresses, 9);

  expect(await kindOf(attacked.client({ address: "203.0.113.99" }), username)).toBe("RateLimited");
  browser.moveTo("203.0.113.98");
  expect(await kindOf(browser, username)).toBe("done");
  expect(await kindOf(attacked.client({ address: "203.0.113.2" }), username)).toBe("done");
  const stranger = attacked.client({ address: "203.0.113.97" });
  const begun = await stranger.field(`mutation { beginPasskeySignIn { optionsJson } }`);
  const finish = `mutation ($responseJson: String!) { finishPasskeySignIn(responseJson: $responseJson) { token } }`;
  expect(await stranger.kindOf(finish, { responseJson: authenticator.get(String(begun["optionsJson"])) })).toBe("done");
});

test("a program that signs in over and over takes no room from the browsers that an account is known by", async () => {
  const { username } = await attacked.owner();
  const asProgram = `mutation ($username: String!, $password: String!) {
    signIn(username: $username, password: $password) { expiresAt }
  }`;
  const db = new Client({ connectionString: await attacked.installation.databaseUrl() });
  await db.connect();
  const known = async () => {
    const { rows } = await db.query(
      "select count(*)::int as count from auth.known_client where account_id = (select id from auth.account where username = $1)",
      [username],
    );
    return rows[0].count;
  };
  const sign = () => attacked.client({ address: "203.0.113.50" }).kindOf(asProgram, { username, password });
  expect(await sign()).toBe("done");
  const before = await known();
  for (let times = 0; times < 3; times++) expect(await sign()).toBe("done");
  expect(await known()).toBe(before);
  await db.end();
});
