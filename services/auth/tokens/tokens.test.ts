import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { importJWK, jwtVerify, SignJWT } from "jose";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import { silentLogger, type TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { Sealer } from "../../platform/security/sealing.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "../test-support/database.ts";
import { signBearer } from "./bearer-tokens.ts";
import { TokenSigningKeys } from "./signing-keys.ts";

const password = "correct horse";
const secrets = new Secrets("a secret key of the tests");

let db: TestDatabase;
let service: ServiceUnderTest<typeof authContract>;
let accountId: string;
let bearer: string;

beforeAll(async () => {
  db = await authDatabase();
  service = await startService(auth, authContract, { db, secrets });
  accountId = (await service.client.addAccount({ username: "jane@example.org", password })).id;
  bearer = await signIn("jane@example.org");
});

afterAll(async () => {
  await service.stop();
  await db.dispose();
});

const signIn = async (username: string) =>
  (await service.client.signIn({ username, password, clientAddress: "192.0.2.1" })).token;
const authenticate = (scheme: "token" | "bearer", value: string) => service.client.authenticate({ scheme, value });
const invalid = { kind: "BearerTokenInvalid", status: 401 };
const notFound = { kind: "TokenNotFound", status: 403, publicMessage: "Token not found" };

test("a bearer token stands for its account, and says no more than it must", async () => {
  expect(await authenticate("bearer", bearer)).toEqual({
    accountId,
    username: "jane@example.org",
    isFullyAuthenticated: true,
    sessionId: expect.any(String),
    isOperator: false,
  });
  const { keys } = await service.client.jwks({});
  const { payload, protectedHeader } = await jwtVerify(bearer, await importJWK(keys[0] ?? {}, "EdDSA"));
  expect(protectedHeader).toEqual({ alg: "EdDSA", typ: "JWT", kid: keys[0]?.kid });
  expect(Object.keys(payload).sort()).toEqual(["amr", "exp", "iat", "iss", "jti", "sub"]);
});

test("the published keys hold no private half", async () => {
  const { keys } = await service.client.jwks({});
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
});

test("no mutation of a bearer token authenticates", async () => {
  const mutations = fc.oneof(
    fc
      .tuple(fc.nat(bearer.length - 1), fc.constantFrom(..."ABCDwxyz0189-_.="))
      .map(([at, char]) => bearer.slice(0, at) + char + bearer.slice(at + 1)),
    fc.nat(bearer.length - 1).map((at) => bearer.slice(0, at)),
    fc.nat(bearer.length - 1).map((at) => bearer.slice(0, at) + bearer.slice(at + 1)),
    fc.constantFrom("=", "A", ".", " ", "\n").map((tail) => bearer + tail),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(mutations, async (mutated) => {
      fc.pre(mutated !== bearer);
      await expect(authenticate("bearer", mutated)).rejects.toMatchObject(invalid);
    }),
    { numRuns: 300 },
  );
  expect(await authenticate("bearer", bearer)).toMatchObject({ accountId });
});

test("no mutation of an API token authenticates", async () => {
  const { token } = await service.client.apiToken({ bearer });
  const mutations = fc.oneof(
    fc
      .tuple(fc.nat(token.length - 1), fc.constantFrom(..."ABCDwxyz0189-_="))
      .map(([at, char]) => token.slice(0, at) + char + token.slice(at + 1)),
    fc.nat(token.length - 1).map((at) => token.slice(0, at)),
    fc.constantFrom("=", "A", " ", "\n").map((tail) => token + tail),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(mutations, async (mutated) => {
      fc.pre(mutated !== token);
      await expect(authenticate("token", mutated)).rejects.toMatchObject(notFound);
    }),
    { numRuns: 300 },
  );
});

test("tokens signed by others, unsigned, expired, or without a session are no tokens", async () => {
  const keys = new TokenSigningKeys(db, new Sealer(secrets, "auth"), 90, silentLogger);
  const key = await keys.signing();
  const claims = {
    sessionId: newId(),
    accountId,
    isSecondFactorGranted: false,
    expiresAt: new Date(Date.now() + 60_000),
  };
  const { rows } = await db.query<{ id: string }>(`select id from session where account_id = $1`, [accountId]);
  const sessionId = rows[0]?.id ?? "";
  const secretKey = secrets.keys("auth")[0];
  const forged = await new SignJWT({ amr: ["pwd", "mfa"] })
    .setProtectedHeader({ alg: "HS256", kid: key.id })
    .setJti(sessionId)
    .setSubject(accountId)
    .setIssuer("postern")
    .setExpirationTime("1h")
    .sign(secretKey);
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${bearer.split(".")[1]}.`;
  const expired = await signBearer({ ...claims, sessionId, expiresAt: new Date(Date.now() - 1_000) }, key);
  const sessionless = await signBearer(claims, key);
  const anothers = await signBearer({ ...claims, sessionId, accountId: newId() }, key);
  for (const token of [forged, unsigned, expired, sessionless, anothers])
    await expect(authenticate("bearer", token)).rejects.toMatchObject(invalid);
  await expect(authenticate("bearer", await signBearer({ ...claims, sessionId }, key))).resolves.toBeDefined();
});

test("the API token is the same until it is revoked, and is nowhere in the clear", async () => {
  const { token } = await service.client.apiToken({ bearer });
  expect(await service.client.apiToken({ bearer: await signIn("jane@example.org") })).toEqual({ token });
  expect(await authenticate("token", token)).toEqual({
    accountId,
    username: "jane@example.org",
    isFullyAuthenticated: true,
    tokenId: expect.any(String),
  });
  const { rows } = await db.query<{ row: string }>(
    `select concat(encode(hash, 'escape'), encode(sealed, 'escape')) as row from api_token`,
  );
  for (const { row } of rows) expect(row).not.toContain(token.slice(4));

  const rotated = await service.client.rotateApiToken({ accountId });
  expect(rotated.token).not.toBe(token);
  expect(await service.client.apiToken({ bearer })).toEqual(rotated);
  await expect(authenticate("token", token)).rejects.toMatchObject(notFound);
});

test("who asks for a first API token many times at once gets one", async () => {
  await service.client.addAccount({ username: "crowd@example.org", password });
  const theirs = await signIn("crowd@example.org");
  const tokens = await Promise.all(Array.from({ length: 8 }, () => service.client.apiToken({ bearer: theirs })));
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
});

test("a disabled account's tokens stop at once", async () => {
  await service.client.addAccount({ username: "stopped@example.org", password });
  const theirs = await signIn("stopped@example.org");
  const { token } = await service.client.apiToken({ bearer: theirs });
  await service.client.disableAccount({ username: "STOPPED@example.org" });
  await expect(authenticate("bearer", theirs)).rejects.toMatchObject(invalid);
  await expect(authenticate("token", token)).rejects.toMatchObject(notFound);
  await expect(service.client.apiToken({ bearer: theirs })).rejects.toMatchObject(invalid);
});
