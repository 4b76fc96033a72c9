import { beforeAll, expect, test } from "@jest/globals";
import { hash } from "@node-rs/argon2";
import { Passwords } from "./passwords.ts";

const passwords = new Passwords();
let hashed: string;

beforeAll(async () => {
  hashed = await passwords.hash("crème brûlée");
});

test("a password is right however its accents were typed, and wrong otherwise", async () => {
  expect(await passwords.verify(hashed, "crème brûlée".normalize("NFD"))).toBe(true);
  expect(await passwords.verify(hashed, "creme brulee")).toBe(false);
  expect(await passwords.verify(hashed, "Crème brûlée")).toBe(false);
});

test("where there is no account, not even the password that is checked instead is right", async () => {
  expect(await passwords.verify(undefined, "nobody's password")).toBe(false);
});

test("what cannot be hashed is wrong, unread", async () => {
  for (const password of ["x".repeat(1025), "\ud800"]) expect(await passwords.verify(hashed, password)).toBe(false);
});

test("two are checked at once, each after its own turn has been looked at; a crowd is sent away", async () => {
  let running = 0;
  let most = 0;
  const attempt = () =>
    passwords.verify(hashed, "wrong", async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      throw new Error("not now");
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 250 }, attempt));
  const reasons = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : undefined));
  expect(most).toBe(2);
  expect(reasons.filter((reason) => reason?.message === "not now")).toHaveLength(202);
  expect(reasons.filter((reason) => reason?.kind === "RateLimited")).toHaveLength(48);
  // Those who failed have given their turn back.
  expect(await passwords.verify(hashed, "crème brûlée")).toBe(true);
});

test("a hash of another cost is told apart, so that it can be replaced", async () => {
  expect(passwords.isOutdated(hashed)).toBe(false);
  expect(passwords.isOutdated(await hash("x", { memoryCost: 8_192 }))).toBe(true);
});
