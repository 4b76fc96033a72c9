import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, internalDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;
let address: string;

beforeAll(async () => {
  bindings = await startBindings({ LIMIT_VERIFICATION_PER_ADDRESS: "3", LIMIT_VERIFICATION_PER_ACCOUNT: "4" });
});

afterAll(() => bindings.stop());

beforeEach(() => {
  address = `${newId()}@example.org`;
});

async function made(ownerId = bindings.account(), realAddresses = [address]) {
  const { binding, isVerificationSent } = await bindings.client.create({ ownerId, realAddresses });
  const token = (await bindings.tokens(address)).at(-1) ?? "";
  const isVerified = async () => (await bindings.client.get({ ownerId, id: binding.id })).realAddresses[0]?.isVerified;
  return { ownerId, binding, isVerificationSent, token, isVerified };
}

test("the mail with a link is in the language of the request that causes it, and in English without one", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, realAddresses: [address], language: "de" });
  await bindings.client.resendVerification({ ownerId, bindingId: binding.id, address });
  await bindings.client.resendVerification({ ownerId, bindingId: binding.id, address, language: "de" });
  const mails = (await bindings.said(topics.noticeRequested)).filter(({ recipient }) => recipient === address);
  const german = "Bestätigen Sie, dass E-Mails an Sie weitergeleitet werden dürfen";
  const english = "Confirm that mail may be forwarded to you";
  expect(mails.map(({ subject }) => subject)).toEqual([german, english, german]);
  for (const { text } of mails) for (const said of [address, binding.proxyAddress]) expect(text).toContain(said);
  expect(mails[0]?.text).toMatch(/öffnen Sie innerhalb von 24 Stunden diesen Link/);
});

describe("a link", () => {
  test("says what it is for without proving anything, and proves once", async () => {
    const { binding, token, isVerified } = await made();
    const purpose = { realAddress: address, proxyAddress: binding.proxyAddress };
    expect(await bindings.client.describeVerification({ token })).toEqual(purpose);
    expect(await bindings.client.describeVerification({ token })).toEqual(purpose);
    expect(await isVerified()).toBe(false);
    expect(await bindings.client.verify({ token })).toEqual(purpose);
    expect(await isVerified()).toBe(true);
    const gone = { kind: "Gone", status: 410 };
    await expect(bindings.client.verify({ token })).rejects.toMatchObject(gone);
    await expect(bindings.client.describeVerification({ token })).rejects.toMatchObject(gone);
  });

  test("used by several at once is used once", async () => {
    const { token } = await made();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => bindings.client.verify({ token })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is good for 24 hours", async () => {
    const { token, isVerified } = await made();
    const { rows } = await bindings.db.query<{ hours: string }>(
      "select round(extract(epoch from max(expires_at) - now()) / 3600) as hours from verification_link",
    );
    expect(rows[0]?.hours).toBe("24");
    await bindings.db.query(
      "update verification_link set expires_at = now() - interval '1 second' where used_at is null",
    );
    await expect(bindings.client.verify({ token })).rejects.toMatchObject({ kind: "Gone" });
    expect(await isVerified()).toBe(false);
  });

  test("is kept as a digest alone", async () => {
    const { token } = await made();
    const { rows } = await bindings.db.query<{ text: string }>(
      "select verification_link::text as text from verification_link",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
    }
  });

  test.each(["", "nonsense", "\0", "\ud800", "../../etc", "'; --"])("%j is none", async (token) => {
    await expect(bindings.client.verify({ token })).rejects.toMatchObject({ kind: "NotFound" });
    await expect(bindings.client.describeVerification({ token })).rejects.toMatchObject({ kind: "NotFound" });
  });

  test("proves the address in every binding of the account, and in nobody else's", async () => {
    const first = await made();
    const second = await made(first.ownerId);
    const stranger = await made();
    await bindings.client.verify({ token: first.token });
    expect(await second.isVerified()).toBe(true);
    expect(await stranger.isVerified()).toBe(false);
    // The second mail lies in the same inbox: its link goes on working.
    expect(await bindings.client.verify({ token: second.token })).toMatchObject({ realAddress: address });
  });
});

describe("is sent again", () => {
  test("on request, and the former one stays good", async () => {
    const { ownerId, binding, token, isVerified } = await made();
    await bindings.client.resendVerification({ ownerId, bindingId: binding.id, address: address.toUpperCase() });
    const tokens = await bindings.tokens(address);
    expect(tokens).toHaveLength(2);
    await bindings.client.verify({ token });
    expect(await isVerified()).toBe(true);
    const again = bindings.client.resendVerification({ ownerId, bindingId: binding.id, address });
    await expect(again).rejects.toMatchObject({ kind: "Conflict" });
  });

  test.each(["other@example.org", "nonsense\0"])("not to %j, which the binding has not", async (other) => {
    const { ownerId, binding } = await made();
    const asked = bindings.client.resendVerification({ ownerId, bindingId: binding.id, address: other });
    await expect(asked).rejects.toMatchObject({ kind: "NotFound" });
  });

  test("not to a reserved internal domain", async () => {
    const internal = `x@${internalDomain}`;
    const { ownerId, binding } = await made(bindings.account(), [internal]);
    const asked = bindings.client.resendVerification({ ownerId, bindingId: binding.id, address: internal });
    await expect(asked).rejects.toMatchObject({ kind: "Conflict" });
  });
});

describe("is held back", () => {
  test("from an address that was sent enough, whoever asks; the binding is made all the same", async () => {
    for (let sent = 0; sent < 3; sent++) expect(await made()).toMatchObject({ isVerificationSent: true });
    const { ownerId, binding, isVerificationSent } = await made(bindings.account(), [address.toUpperCase()]);
    expect(isVerificationSent).toBe(false);
    expect(await bindings.tokens(address)).toHaveLength(3);
    const asked = bindings.client.resendVerification({ ownerId, bindingId: binding.id, address });
    await expect(asked).rejects.toMatchObject({ kind: "RateLimited", status: 429, retryAfterS: expect.any(Number) });
  });

  test("from an account that had enough sent to anybody", async () => {
    const ownerId = bindings.account();
    const realAddresses = Array.from({ length: 6 }, () => `${newId()}@example.org`);
    expect(await bindings.client.create({ ownerId, realAddresses })).toMatchObject({ isVerificationSent: true });
    const sent = await Promise.all(realAddresses.map((each) => bindings.tokens(each)));
    expect(sent.flat()).toHaveLength(4);
    expect(await made(ownerId)).toMatchObject({ isVerificationSent: false });
  });
});
