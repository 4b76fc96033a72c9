import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Authenticator, type Deviation } from "../../../test/support/http/authenticator.ts";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { SecurityNotices } from "../accounts/security-notices.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";
import { PasskeyChallenges } from "./challenges.ts";
import { PasskeyStore } from "./passkey-store.ts";
import { Passkeys } from "./passkeys.ts";

const origin = "https://postern.example.org";
const settings = { PUBLIC_URL: `${origin}/`, SERVICE_NAME: "postern" };
const unusable = { kind: "ValidationFailed", status: 422 };
const wrong = { kind: "WrongPasskey", status: 401 };

let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;
let store: PasskeyStore;
let challenges: PasskeyChallenges;
let passkeys: Passkeys;

beforeAll(async () => {
  db = await authDatabase();
  service = await startService(auth, authContract, { db });
  store = new PasskeyStore(db, new SecurityNotices(settings));
  challenges = new PasskeyChallenges(db);
  passkeys = new Passkeys(store, challenges, settings);
});

afterAll(async () => {
  await service.stop();
  await db.dispose();
});

const owner = () => service.client.addAccount({ username: `${newId()}@example.org`, password: "correct horse" });

async function register(
  account: { id: string; username: string },
  authenticator: Authenticator,
  deviation?: Deviation,
) {
  const answer = authenticator.create(await passkeys.beginRegistration(account), deviation);
  return passkeys.finishRegistration({ accountId: account.id }, answer, " The phone ");
}

async function use(authenticator: Authenticator, deviation?: Deviation) {
  return passkeys.signIn(authenticator.get(await passkeys.beginSignIn(), deviation));
}

/** Somebody with a passkey. */
async function keyHolder() {
  const account = await owner();
  const authenticator = new Authenticator(origin);
  const passkey = await register(account, authenticator);
  return { account, authenticator, passkey };
}

describe("registering", () => {
  test("says whose key it is to be, for which site, and which there are", async () => {
    const { account, authenticator } = await keyHolder();
    expect(JSON.parse(await passkeys.beginRegistration(account))).toMatchObject({
      rp: { id: "postern.example.org", name: "postern" },
      user: { name: account.username, id: Buffer.from(account.id.replaceAll("-", ""), "hex").toString("base64url") },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
      excludeCredentials: [{ id: authenticator.credentialId.toString("base64url"), transports: [] }],
    });
  });

  test.each<[string, Deviation]>([
    ["another site's page", { origin: "https://postern.example.com" }],
    ["another site's key", { rpId: "example.org" }],
    ["a challenge of nobody's", { challenge: "bm9ib2R5cw" }],
    ["an attestation with certificates", { format: "packed", statement: new Map([["x5c", "any"]]) }],
    ["an attestation of another kind", { format: "android-safetynet" }],
    ["a self attestation that is not signed", { format: "packed" }],
  ])("refuses %s", async (_case, deviation) => {
    const account = await owner();
    await expect(register(account, new Authenticator(origin), deviation)).rejects.toMatchObject(unusable);
    expect(await store.list(account.id)).toEqual([]);
  });

  test("takes each challenge once, from the account that it was made for, while it is fresh", async () => {
    const [account, other] = await Promise.all([owner(), owner()]);
    const options = await passkeys.beginRegistration(account);
    const answer = new Authenticator(origin).create(options);
    await expect(passkeys.finishRegistration({ accountId: other.id }, answer, "Mine")).rejects.toMatchObject(unusable);
    await passkeys.finishRegistration({ accountId: account.id }, answer, "Mine");
    const again = new Authenticator(origin).create(options);
    await expect(passkeys.finishRegistration({ accountId: account.id }, again, "Mine")).rejects.toMatchObject(unusable);

    const late = new Authenticator(origin).create(await passkeys.beginRegistration(account));
    await db.query(`update passkey_challenge set expires_at = now()`);
    await expect(passkeys.finishRegistration({ accountId: account.id }, late, "Mine")).rejects.toMatchObject(unusable);
    await challenges.sweep();
    expect((await db.query(`select from passkey_challenge`)).rowCount).toBe(0);
  });

  test("takes no sign-in's challenge, and a sign-in none of a registration's", async () => {
    const { account, authenticator } = await keyHolder();
    const { challenge } = JSON.parse(await passkeys.beginSignIn()) as { challenge: string };
    await expect(register(account, new Authenticator(origin), { challenge })).rejects.toMatchObject(unusable);
    const registration = JSON.parse(await passkeys.beginRegistration(account)) as { challenge: string };
    await expect(use(authenticator, { challenge: registration.challenge })).rejects.toMatchObject(wrong);
  });

  test.each(["", "   ", "x".repeat(65), "nul\0", "half \ud800"])("refuses the name %j", async (name) => {
    const account = await owner();
    const answer = new Authenticator(origin).create(await passkeys.beginRegistration(account));
    await expect(passkeys.finishRegistration({ accountId: account.id }, answer, name)).rejects.toMatchObject(unusable);
  });

  test.each([
    "",
    "{}",
    "null",
    `{"id":"a","rawId":"a","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}`,
  ])("refuses %j", async (answer) => {
    const { id } = await owner();
    await expect(passkeys.finishRegistration({ accountId: id }, answer, "Mine")).rejects.toMatchObject(unusable);
    await expect(passkeys.signIn(answer)).rejects.toMatchObject(wrong);
  });

  test("has a bound, which many at once do not pass, and one key stands for one account", async () => {
    const { account, authenticator } = await keyHolder();
    await expect(register(await owner(), authenticator)).rejects.toMatchObject({ kind: "Conflict" });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 22 }, () => register(account, new Authenticator(origin))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(19);
    await expect(register(account, new Authenticator(origin))).rejects.toMatchObject({ kind: "QuotaExceeded" });
  });
});

describe("using", () => {
  test.each(["ES256", "Ed25519"] as const)(
    "%s tells whose it is, and whether its user was verified",
    async (algorithm) => {
      const account = await owner();
      const authenticator = new Authenticator(origin, algorithm);
      await register(account, authenticator);
      expect(await store.list(account.id)).toMatchObject([{ name: "The phone", isBackedUp: false, lastUsedAt: null }]);
      const credentialId = authenticator.credentialId.toString("base64url");
      expect(await use(authenticator)).toEqual({ accountId: account.id, credentialId, isUserVerified: true });
      expect(await use(authenticator, { isUserVerified: false })).toEqual({
        accountId: account.id,
        credentialId,
        isUserVerified: false,
      });
      expect(await store.list(account.id)).toMatchObject([{ lastUsedAt: expect.any(String) }]);
    },
  );

  test("one that attests itself is as good as any", async () => {
    const account = await owner();
    const authenticator = new Authenticator(origin);
    await register(account, authenticator, { isSelfAttested: true });
    expect(await use(authenticator)).toMatchObject({ accountId: account.id });
  });

  test("one without a counter goes on being good", async () => {
    const account = await owner();
    const authenticator = new Authenticator(origin);
    await register(account, authenticator, { counter: 0 });
    for (let round = 0; round < 2; round++) await expect(use(authenticator, { counter: 0 })).resolves.toBeDefined();
  });

  test.each<[string, Deviation]>([
    ["another site's page", { origin: "https://postern.example.com" }],
    ["a site below ours", { origin: "https://evil.postern.example.org" }],
    ["another site's key", { rpId: "example.org" }],
    ["a challenge of nobody's", { challenge: "bm9ib2R5cw" }],
    ["a counter that was seen before", { counter: 1 }],
    ["another account's user handle", { userHandle: "AAAA" }],
  ])("refuses %s", async (_case, deviation) => {
    const { authenticator } = await keyHolder();
    await expect(use(authenticator, deviation)).rejects.toMatchObject(wrong);
    await expect(use(authenticator)).resolves.toBeDefined();
  });

  test("refuses an answer that was given before, also when it failed the first time", async () => {
    const { authenticator } = await keyHolder();
    const answer = authenticator.get(await passkeys.beginSignIn());
    await passkeys.signIn(answer);
    await expect(passkeys.signIn(answer)).rejects.toMatchObject(wrong);
    const options = await passkeys.beginSignIn();
    await expect(passkeys.signIn(authenticator.get(options, { rpId: "example.org" }))).rejects.toMatchObject(wrong);
    await expect(passkeys.signIn(authenticator.get(options))).rejects.toMatchObject(wrong);
  });

  test("refuses a signature by another key, and a key that nobody registered", async () => {
    const { authenticator } = await keyHolder();
    const stranger = new Authenticator(origin);
    await expect(use(stranger)).rejects.toMatchObject(wrong);
    const forged = JSON.parse(stranger.get(await passkeys.beginSignIn())) as Record<string, unknown>;
    forged["id"] = forged["rawId"] = authenticator.credentialId.toString("base64url");
    await expect(passkeys.signIn(JSON.stringify(forged))).rejects.toMatchObject(wrong);
  });

  test("is over once it is removed, by its account alone", async () => {
    const { account, authenticator, passkey } = await keyHolder();
    const other = await owner();
    for (const id of [passkey.id, "none"])
      await expect(store.remove({ accountId: other.id }, id)).rejects.toMatchObject({ status: 404 });
    await expect(store.rename(other.id, passkey.id, "Theirs")).rejects.toMatchObject({ status: 404 });
    expect(await store.rename(account.id, passkey.id, "The old phone")).toMatchObject({ name: "The old phone" });
    await store.remove({ accountId: account.id }, passkey.id);
    await expect(use(authenticator)).rejects.toMatchObject(wrong);
  });
});
