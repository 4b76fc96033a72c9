import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import { silentLogger, type TestDatabase } from "../../../test/support/peers/database.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";

const password = "correct horse";
const here = "192.0.2.1";
const info = jest.fn();
const logger: Logger = { ...silentLogger, info: info as Logger["info"], child: () => logger };

let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;

beforeAll(async () => {
  db = await authDatabase();
  const environment = {
    LIMIT_SIGN_IN_PER_ACCOUNT: "3",
    LIMIT_SIGN_IN_STRANGERS_PER_ACCOUNT: "5",
    LIMIT_SIGN_IN_PER_ADDRESS: "6",
    LIMIT_SIGN_IN_FLOOD_PER_MIN: "40",
  };
  service = await startService(auth, authContract, { db, environment, context: { logger } });
});

afterAll(async () => {
  await service.stop();
  await db.dispose();
});

const add = (username: string) => service.client.addAccount({ username, password });
const signIn = (username: string, given = password, clientAddress = here) =>
  service.client.signIn({ username, password: given, clientAddress });
const wrong = { kind: "WrongUserOrPassword", status: 401, publicMessage: "The user or password does not exist." };

test("credentials give a bearer token that lives 30 days, and that it is the first is said once", async () => {
  const { id } = await add("first@example.org");
  const bearer = await signIn("FIRST@example.org");
  expect(bearer).toMatchObject({ accountId: id, isNewAccount: true, isSecondFactorGranted: false });
  expect(Date.parse(bearer.expiresAt) - Date.now()).toBeGreaterThan(719.9 * 3_600_000);
  expect(await signIn("first@example.org")).toMatchObject({ isNewAccount: false });
});

test("of many first sign-ins at once, one is the first; right passwords are never throttled", async () => {
  await add("crowd@example.org");
  const bearers = await Promise.all(
    Array.from({ length: 12 }, () => signIn("crowd@example.org", password, "192.0.2.2")),
  );
  expect(bearers.filter((bearer) => bearer.isNewAccount)).toHaveLength(1);
  expect(new Set(bearers.map((bearer) => bearer.id)).size).toBe(12);
});

test("a wrong password, an unknown user, a disabled account and no user at all look alike", async () => {
  await add("gone@example.org");
  await service.client.disableAccount({ username: "gone@example.org" });
  const attempts: [string, string][] = [
    ["first@example.org", "wrong"],
    ["unknown@example.org", password],
    ["gone@example.org", password],
    ["", ""],
    ["nul\0", "x"],
    ["half \ud800", "\udc00"],
    ["first@example.org", "x".repeat(1025)],
  ];
  for (const [index, [username, given]] of attempts.entries()) {
    await expect(signIn(username, given, `198.51.100.${index}`)).rejects.toMatchObject(wrong);
  }
});

test("an account's failures are counted, known or not, and a success resets the count", async () => {
  await add("slow@example.org");
  for (let round = 0; round < 2; round++) {
    for (let failure = 0; failure < 2; failure++)
      await expect(signIn("slow@example.org", "wrong", "203.0.113.1")).rejects.toMatchObject(wrong);
    await signIn("slow@example.org", password, "203.0.113.2");
    await signIn("slow@example.org", password, "203.0.113.1");
  }
  for (const username of ["slow@example.org", "unknown-and-slow"]) {
    for (let failure = 0; failure < 3; failure++)
      await expect(signIn(username, "wrong", "203.0.113.10")).rejects.toMatchObject(wrong);
    const refused = signIn(username, password, "203.0.113.10");
    await expect(refused).rejects.toMatchObject({ kind: "RateLimited", status: 429, retryAfterS: expect.any(Number) });
  }
});

test("one stranger's guesses lock nobody else out; those of many lock strangers out, and nobody who has signed in before", async () => {
  await add("victim@example.org");
  await signIn("victim@example.org", password, "203.0.113.50");
  const device = { username: "victim@example.org", clientAddress: "203.0.113.51", device: "a".repeat(22) };
  await service.client.signIn({ ...device, password });
  for (let guess = 0; guess < 3; guess++)
    await expect(signIn("victim@example.org", "guess", "203.0.113.60")).rejects.toMatchObject(wrong);
  await expect(signIn("victim@example.org", password, "203.0.113.60")).rejects.toMatchObject({ kind: "RateLimited" });
  await expect(signIn("victim@example.org", password, "203.0.113.70")).resolves.toBeDefined();

  for (let guess = 0; guess < 2; guess++)
    await expect(signIn("victim@example.org", "guess", `203.0.113.8${guess}`)).rejects.toMatchObject(wrong);
  await expect(signIn("victim@example.org", password, "203.0.113.90")).rejects.toMatchObject({ kind: "RateLimited" });
  await expect(signIn("victim@example.org", password, "203.0.113.50")).resolves.toBeDefined();
  // The browser is known wherever it is, even where somebody guesses from.
  await expect(service.client.signIn({ ...device, password, clientAddress: "203.0.113.60" })).resolves.toBeDefined();
  const unknown = { ...device, device: "b".repeat(22), clientAddress: "203.0.113.91" };
  await expect(service.client.signIn({ ...unknown, password })).rejects.toMatchObject({ kind: "RateLimited" });
});

test("a browser that is known has a count of its own, and its guesses are refused like a stranger's", async () => {
  await add("stolen@example.org");
  const device = { username: "stolen@example.org", clientAddress: "203.0.113.120", device: "c".repeat(22) };
  await service.client.signIn({ ...device, password });
  for (let guess = 0; guess < 3; guess++)
    await expect(service.client.signIn({ ...device, password: "guess" })).rejects.toMatchObject(wrong);
  await expect(service.client.signIn({ ...device, password })).rejects.toMatchObject({ kind: "RateLimited" });
});

test("guesses sent at once get no further than guesses sent one by one", async () => {
  await add("parallel@example.org");
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => signIn("parallel@example.org", "guess", `203.0.113.${100 + index}`)),
  );
  const kinds = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.kind : "signed in"));
  // The limit, and what was being checked when it was reached.
  expect(kinds.filter((kind) => kind === "WrongUserOrPassword").length).toBeLessThanOrEqual(5 + 1);
  expect(kinds.filter((kind) => kind === "RateLimited").length).toBeGreaterThanOrEqual(14);
});

test("an address's failures are counted over all accounts; an IPv6 host is its /64", async () => {
  for (let guess = 0; guess < 6; guess++)
    await expect(signIn(`user-${guess}`, "guess", `2001:db8::${guess + 1}`)).rejects.toMatchObject(wrong);
  await expect(signIn("first@example.org", password, "2001:db8::ffff")).rejects.toMatchObject({ kind: "RateLimited" });
  await expect(signIn("first@example.org", password, "2001:db8:0:1::1")).resolves.toBeDefined();
});

test("a flood from one address is refused before anything is looked up", async () => {
  await add("busy@example.org");
  const outcomes = await Promise.allSettled(
    Array.from({ length: 45 }, () => signIn("busy@example.org", password, "192.0.2.99")),
  );
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(40);
});

test("no credential and no username is logged", () => {
  const logged = JSON.stringify(info.mock.calls);
  expect(logged).toContain("sign-in refused");
  expect(logged).not.toMatch(/correct horse|guess|example\.org|eyJ/);
});
