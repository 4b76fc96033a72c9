import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { arrivals } from "../../clients/typescript/src/arrivals.ts";
import {
  AuthenticationError,
  ContentError,
  ForbiddenError,
  InvalidRequestError,
  NoEmailError,
  NotFoundError,
  Postern,
  PosternError,
} from "../../clients/typescript/src/index.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { sendMail } from "../support/mail/send-mail.ts";
import { clientWith, owner } from "./support/owner.ts";

let installation: Installation;
let postern: Postern;
beforeAll(async () => {
  installation = await startInstallation({ mode: "single", environment: { SENDING: "all", SENDING_MIN_AGE_D: "0" } });
  postern = await clientWith(installation, ["alias:create", "alias:read", "alias:write", "mail:read", "mail:send"]);
});
afterAll(() => installation?.dispose());

async function listed<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of list) all.push(each);
  return all;
}

const send = (to: string, subject: string, text = "Hello.") => sendMail(installation.smtpPort, { to, subject, text });

describe("addresses", () => {
  test("are made, found, changed and removed", async () => {
    const made = await postern.addresses.create({ description: "a shop", targets: ["jane@example.net"] });
    expect(made).toMatchObject({ description: "a shop", isBrowsable: true, answers: false });
    expect(made.targets).toEqual([{ address: "jane@example.net", isEnabled: true, isVerified: false }]);
    expect((await listed(postern.addresses.list({ search: "a shop" }))).map(({ id }) => id)).toEqual([made.id]);
    expect(await postern.addresses.get(made.address.toUpperCase())).toEqual(made);
    const targets = [{ address: "jane@example.net", isEnabled: false }];
    const changed = await postern.addresses.update(made.id, { description: "the shop", answers: true, targets });
    expect(changed).toMatchObject({ id: made.id, description: "the shop", answers: true, isBrowsable: true });
    expect(changed.targets[0]?.isEnabled).toBe(false);
    await postern.addresses.remove(made.id);
    await expect(postern.addresses.get(made.id)).rejects.toThrow(NotFoundError);
    await expect(postern.addresses.get(made.address)).rejects.toThrow(NotFoundError);
  });

  test("one that has a name is given again", async () => {
    const { address, id } = await postern.addresses.create();
    expect((await postern.addresses.create({ address })).id).toBe(id);
  });

  test("all of them are listed", async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, async () => (await postern.addresses.create()).id));
    expect((await listed(postern.addresses.list())).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });
});

describe("waiting", () => {
  test("an inbox gets its own mail, with codes and links", async () => {
    const address = await postern.addresses.create();
    const [inbox, other] = [postern.inbox(address), postern.inbox(address)];
    const waiting = inbox.next({ subject: "confirm" });
    await send(other.address, "Confirm", "Your code is 111222.");
    await send(inbox.address, "Confirm", "Your code is 482913.\n\nhttps://shop.example/confirm?t=1");
    const email = await waiting;
    expect(email).toMatchObject({ subject: "Confirm", sender: "ann@example.com", recipient: address.address });
    expect(email.from).toContain("Ann <ann@example.com>");
    expect(email.text.trim()).toMatch(/^Your code is 482913\./);
    expect([email.codes, email.links]).toEqual([["482913"], ["https://shop.example/confirm?t=1"]]);
    expect(await postern.emails.get(email.id)).toEqual(expect.objectContaining({ id: email.id, text: email.text }));
    expect(await other.code()).toBe("111222");
    const kept = await listed(postern.emails.list(address.id));
    expect(kept.map(({ subject }) => subject)).toEqual(["Confirm", "Confirm"]);
  });

  test("a code or link that is not there is said, and so is that nothing came", async () => {
    const inbox = postern.inbox(await postern.addresses.create());
    await send(inbox.address, "Hello");
    await expect(inbox.code()).rejects.toThrow(ContentError);
    await send(inbox.address, "Hello", "https://shop.example/");
    await expect(inbox.link({ matching: "confirm" })).rejects.toThrow(ContentError);
    await expect(inbox.next({ timeoutMs: 0 })).rejects.toThrow(NoEmailError);
    await expect(inbox.next({ subject: "x", timeoutMs: 100 })).rejects.toThrow(
      /No email came in time \(to .*, subject "x"\)/,
    );
  });

  test("it ends by a signal, and an email that is left comes again", async () => {
    const inbox = postern.inbox(await postern.addresses.create());
    const signal = AbortSignal.timeout(100);
    await expect(inbox.next({ signal })).rejects.toBe(await aborted(signal));
    await send(inbox.address, "Hello");
    const left = await inbox.next({ take: false });
    expect((await inbox.next()).id).toBe(left.id);
  });

  test("arrivals are told as they come", async () => {
    const address = await postern.addresses.create();
    const ended = new AbortController();
    const told = arrivals(postern.transport, { signal: ended.signal });
    const first = told.next();
    // The stream may open after a mail: then the next one is told.
    const sending = setInterval(() => void send(address.address, "Hello").catch(() => undefined), 500);
    try {
      expect((await first).value).toMatchObject({ addressId: address.id });
    } finally {
      clearInterval(sending);
      ended.abort();
    }
  });
});

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });

test("messages are sent once for each key", async () => {
  const { address } = await postern.addresses.create({ answers: true });
  const message = { from: address, to: ["ann@shop.example"], subject: "Hello", text: "Hello, Ann." };
  const idempotencyKey = randomUUID();
  const sent = await postern.messages.send(message, { idempotencyKey });
  expect(await postern.messages.send(message, { idempotencyKey })).toEqual(sent);
  expect((await postern.messages.send(message)).id).not.toBe(sent.id);
});

test("contacts are made, named, blocked and removed", async () => {
  const { id, address } = await postern.addresses.create({ answers: true });
  const made = await postern.contacts.create(id, "ann@shop.example", { name: "Ann" });
  expect(made).toMatchObject({ address: "ann@shop.example", name: "Ann", isBlocked: false });
  expect(made.reverseAddress.split("@")[1]).toBe(address.split("@")[1]);
  expect(await postern.contacts.create(id, "ann@shop.example")).toMatchObject({ id: made.id });
  expect((await postern.contacts.update(made.id, { isBlocked: true })).isBlocked).toBe(true);
  expect((await listed(postern.contacts.list(id, { search: "ann" }))).map((each) => each.id)).toEqual([made.id]);
  await postern.contacts.remove(made.id);
  expect(await listed(postern.contacts.list(id))).toEqual([]);
});

test("domains are claimed, looked at, given patterns and removed", async () => {
  const { domains } = await clientWith(installation, ["admin"]);
  const added = await domains.add("Shop.example");
  expect(added).toMatchObject({ name: "shop.example", state: "unverified" });
  expect(added.records.map(({ type }) => type)).toContain("MX");
  expect((await domains.add("shop.example")).id).toBe(added.id);
  expect((await domains.list()).map(({ id }) => id)).toEqual([added.id]);
  await domains.setPatterns(added.id, [{ glob: "news-*" }]);
  expect(await domains.patterns(added.id)).toEqual([{ glob: "news-*", targets: [], creates: true, perHour: 20 }]);
  await domains.remove(added.id);
  await expect(domains.get(added.id)).rejects.toThrow(NotFoundError);
});

test("keys are made by who has signed in, and worth nothing once they are revoked", async () => {
  const { keys } = await owner(installation);
  const { key, id, name } = await keys.create({ name: "a reader", scopes: ["alias:read"] });
  expect([key, name]).toEqual([expect.stringMatching(/^psk_/), "a reader"]);
  const reader = new Postern({ url: installation.url, key });
  await listed(reader.addresses.list());
  await expect(reader.addresses.create()).rejects.toThrow(ForbiddenError);
  expect((await keys.list()).map((each) => each.id)).toContain(id);
  await keys.revoke(id);
  await expect(listed(reader.addresses.list())).rejects.toThrow(AuthenticationError);
});

describe("errors", () => {
  test("say what, of which kind, and how the logs know it", async () => {
    const error = await postern.addresses.create({ address: "no address" }).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      status: 422,
      kind: "ValidationFailed",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const missing = postern.emails.next({ addressId: randomUUID() }, { timeoutMs: 60_000 });
    await expect(missing).rejects.toMatchObject({ name: "NotFoundError", status: 404, kind: "NotFound" });
  });

  test("of credentials and settings", async () => {
    const { url, account } = installation;
    const wrong = new Postern({ url, key: "psk_wrong" });
    await expect(wrong.emails.next({ address: "x@postern.localhost" })).rejects.toThrow(AuthenticationError);
    await expect(wrong.addresses.create()).rejects.toThrow(AuthenticationError);
    await expect(Postern.signIn({ ...account, password: "wrong" }, { url })).rejects.toThrow(AuthenticationError);
    expect(() => Postern.fromEnvironment({ POSTERN_URL: url })).toThrow(new PosternError("POSTERN_KEY must be set."));
  });
});
