import { expect, jest, test } from "@jest/globals";
import { jwtVerify, SignJWT } from "jose";
import { Secrets } from "./secrets.ts";
import { SignedClaims } from "./signed-claims.ts";

const secrets = new Secrets("a key");
const claims = new SignedClaims<{ who: string }>(secrets, "a purpose", 60_000);

test("what was signed is read, and is a JWT like any other's", async () => {
  const token = claims.sign({ who: "Zoë" });
  expect(claims.read(token)).toMatchObject({ who: "Zoë" });
  const [key] = secrets.keys("a purpose");
  const { payload } = await jwtVerify(token, key, { issuer: "postern", algorithms: ["HS256"] });
  expect(payload["who"]).toBe("Zoë");
  const theirs = new SignJWT({ who: "Ann" }).setProtectedHeader({ alg: "HS256" }).setIssuer("postern");
  expect(claims.read(await theirs.setExpirationTime("60s").sign(key))).toMatchObject({ who: "Ann" });
});

test("nothing else is", async () => {
  const token = claims.sign({ who: "Ann" });
  const [header = "", payload = "", signature = ""] = token.split(".");
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  const forged = Buffer.from(JSON.stringify({ who: "Eve", iss: "postern", exp: 9e9 })).toString("base64url");
  const [key] = secrets.keys("a purpose");
  const ofAnotherIssuer = await new SignJWT({ who: "Ann" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("other")
    .sign(key);
  for (const other of [
    "",
    "..",
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${header}.${forged}.${signature}`,
    `${header}.${payload}.${signature.slice(1)}`,
    `${token}.`,
    new SignedClaims<{ who: string }>(secrets, "another purpose", 60_000).sign({ who: "Ann" }),
    new SignedClaims<{ who: string }>(new Secrets("another key"), "a purpose", 60_000).sign({ who: "Ann" }),
    ofAnotherIssuer,
  ])
    expect(claims.read(other)).toBeUndefined();
});

test("it expires, a little late for clocks that differ; and outlives a rotation of the key", () => {
  jest.useFakeTimers({ now: 1_000_000_000 });
  try {
    const token = claims.sign({ who: "Ann" });
    const rotated = new SignedClaims<{ who: string }>(new Secrets("a new key", "a key"), "a purpose", 60_000);
    jest.setSystemTime(1_000_000_000 + 89_000);
    expect(claims.read(token)).toBeDefined();
    expect(rotated.read(token)).toBeDefined();
    jest.setSystemTime(1_000_000_000 + 91_000);
    expect(claims.read(token)).toBeUndefined();
  } finally {
    jest.useRealTimers();
  }
});
