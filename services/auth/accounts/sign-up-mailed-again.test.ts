import { afterEach, expect, test } from "@jest/globals";
import { AuthUnderTest } from "../test-support/auth.ts";

const username = "new@example.org";
const password = "four words in a row";
const clientAddress = "192.0.2.1";

let running: AuthUnderTest | undefined;
afterEach(async () => running?.stop());

test("asking for a sign-up's mail leaves every link of it good, however often anybody does, until one is used", async () => {
  const auth = await AuthUnderTest.start();
  running = auth;
  const links = new Set<string>();
  const mailed = async () => {
    await auth.sendMails();
    links.add(await auth.linkToken(username, "confirm"));
  };
  await auth.client.signUp({ username, password, clientAddress });
  await mailed();
  for (let time = 0; time < 7; time++) {
    await auth.client.resendSignUp({ username, clientAddress: `203.0.113.${time}` });
    // Before its mail is sent, too.
    for (const token of links) expect(await auth.client.describeConfirmation({ token })).toEqual({ username });
    await mailed();
  }
  expect(await auth.mails(username)).toHaveLength(5);
  expect(links.size).toBe(5);
  for (const token of links) expect(await auth.client.describeConfirmation({ token })).toEqual({ username });

  const [first = "", ...others] = links;
  await expect(auth.client.confirmAddress({ token: first, password, clientAddress })).resolves.toMatchObject({
    username,
  });
  for (const token of others)
    await expect(auth.client.describeConfirmation({ token })).rejects.toMatchObject({ kind: "NotFound" });
});
