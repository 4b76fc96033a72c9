import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { ConfigurationError } from "../../platform/errors.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await authDatabase();
});

afterAll(() => db.dispose());

async function started(environment: Readonly<Record<string, string | undefined>>) {
  const service = await startService(auth, authContract, { db, environment });
  await service.stop();
  return service.client;
}

type Client = Awaited<ReturnType<typeof started>>;
const signIn = (client: Client, username: string, password: string) =>
  client.signIn({ username, password, clientAddress: "192.0.2.1" });

test("the account exists once the service is started, whatever its name, and is made once", async () => {
  const environment = { BOOTSTRAP_USER: "root", BOOTSTRAP_PASSWORD: "pw" };
  await Promise.all([started(environment), started(environment)]);
  const client = await started(environment);
  expect(await client.listAccounts({})).toEqual([
    expect.objectContaining({ username: "root", isOperatorMade: true, isUsernameVerified: false }),
  ]);
  await expect(signIn(client, "ROOT", "pw")).resolves.toMatchObject({ isNewAccount: true });
});

test("an address is known to be its owner's", async () => {
  const client = await started({ BOOTSTRAP_USER: "Ops@Example.org", BOOTSTRAP_PASSWORD: "pw" });
  expect(await client.listAccounts({})).toContainEqual(
    expect.objectContaining({ username: "Ops@Example.org", isUsernameVerified: true }),
  );
});

test("a password changed in the environment is taken over, once, and signs everybody out", async () => {
  const before = await started({ BOOTSTRAP_USER: "ops@example.org", BOOTSTRAP_PASSWORD: "pw" });
  const { token } = await signIn(before, "ops@example.org", "pw");
  const after = await started({ BOOTSTRAP_USER: "ops@example.org", BOOTSTRAP_PASSWORD: "changed" });
  await expect(signIn(after, "ops@example.org", "pw")).rejects.toMatchObject({ kind: "WrongUserOrPassword" });
  await expect(after.authenticate({ scheme: "bearer", value: token })).rejects.toMatchObject({
    kind: "BearerTokenInvalid",
  });
  const { token: kept } = await signIn(after, "ops@example.org", "changed");
  const again = await started({ BOOTSTRAP_USER: "ops@example.org", BOOTSTRAP_PASSWORD: "changed" });
  await expect(again.authenticate({ scheme: "bearer", value: kept })).resolves.toBeDefined();
});

test("an account that was made otherwise is not taken over", async () => {
  const client = await started({});
  await client.addAccount({ username: "jane@example.org", password: "hers" });
  await started({ BOOTSTRAP_USER: "Jane@example.org", BOOTSTRAP_PASSWORD: "theirs" });
  await expect(signIn(client, "jane@example.org", "theirs")).rejects.toMatchObject({ kind: "WrongUserOrPassword" });
  await expect(signIn(client, "jane@example.org", "hers")).resolves.toBeDefined();
});

test.each([
  { BOOTSTRAP_USER: "root" },
  { BOOTSTRAP_PASSWORD: "pw" },
  { BOOTSTRAP_USER: " padded ", BOOTSTRAP_PASSWORD: "pw" },
  { BOOTSTRAP_USER: "root", BOOTSTRAP_PASSWORD: "x".repeat(1025) },
])("%j is a fault of the configuration", async (environment) => {
  await expect(started(environment)).rejects.toThrow(ConfigurationError);
  await expect(started(environment)).rejects.toThrow(/BOOTSTRAP_/);
});
