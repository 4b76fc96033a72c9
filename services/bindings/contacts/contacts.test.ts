import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, serviceDomain, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings({ LIMIT_NEW_CONTACTS_PER_HOUR: "4" });
});

afterAll(() => bindings.stop());

async function answering() {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, realAddresses: ["Me@home.example"], answers: true });
  return { ownerId, binding, bindingId: binding.id };
}

const reversePattern = /^re\+[a-z2-7]{26}@postern\.localhost$/;

test("a binding answers only where its owner says so, and keeps the rest of its settings", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId });
  expect(binding).toMatchObject({ answers: false, displayName: "", answersStrangers: false, sendsEncrypted: false });
  const changed = await bindings.client.update({ ownerId, id: binding.id, answers: true, displayName: " Ann Lee " });
  expect(changed.binding).toMatchObject({ answers: true, displayName: "Ann Lee", isBrowsable: false });
  const hostile = bindings.client.update({ ownerId, id: binding.id, displayName: "Ann\r\nBcc: x@y.example" });
  await expect(hostile).rejects.toMatchObject({ kind: "ValidationFailed" });
});

test("a cursor with a time that PostgreSQL does not hold is said to be none", async () => {
  const after = Buffer.from(`-271820-01-01T00:00:00.000Z ${newId()}`).toString("base64url");
  const refused = bindings.client.contacts({ ...(await answering()), after });
  await expect(refused).rejects.toMatchObject({
    kind: "ValidationFailed",
    publicMessage: expect.stringMatching(/^after/),
  });
});

test("SPF suffices for a real address once its owner says so, and a change that leaves it out keeps it", async () => {
  const { ownerId, bindingId: id } = await answering();
  const change = (entry: object) =>
    bindings.client.update({ ownerId, id, realAddresses: [{ address: "me@home.example", isEnabled: true, ...entry }] });
  expect((await change({ spfSuffices: true })).binding.realAddresses).toMatchObject([{ spfSuffices: true }]);
  expect((await change({})).binding.realAddresses).toMatchObject([{ spfSuffices: true }]);
  expect((await change({ spfSuffices: false })).binding.realAddresses).toMatchObject([{ spfSuffices: false }]);
});

test("a contact made by hand is one for its address, can be named, blocked and removed, and is its owner's alone", async () => {
  const { ownerId, bindingId, binding } = await answering();
  const made = await bindings.client.createContact({ ownerId, bindingId, address: "Shop@Shop.example", name: "Shop" });
  expect(made).toMatchObject({ address: "Shop@shop.example", name: "Shop", isBlocked: false, received: 0, sent: 0 });
  expect(made.reverseAddress).toMatch(reversePattern);
  const again = await bindings.client.createContact({ ownerId, bindingId, address: "shop@shop.example" });
  expect(made.existed).toBe(false);
  expect(again).toEqual({ ...made, existed: true });
  const { id } = made;
  expect(await bindings.client.updateContact({ ownerId, id, isBlocked: true })).toMatchObject({ isBlocked: true });
  expect(await bindings.client.blockedBy({ bindingIds: [bindingId], addresses: ["SHOP@shop.example"] })).toEqual([
    bindingId,
  ]);
  expect(await bindings.client.updateContact({ ownerId, id, name: "The shop" })).toMatchObject({
    name: "The shop",
    isBlocked: true,
  });
  const stranger = bindings.account();
  for (const attempt of [
    bindings.client.updateContact({ ownerId: stranger, id, isBlocked: false }),
    bindings.client.deleteContact({ ownerId: stranger, id }),
    bindings.client.contacts({ ownerId: stranger, bindingId }),
    bindings.client.createContact({ ownerId: stranger, bindingId, address: "x@y.example" }),
  ])
    await expect(attempt).rejects.toMatchObject({ kind: "NotFound" });
  for (const own of [binding.proxyAddress, "me@home.example"])
    await expect(bindings.client.createContact({ ownerId, bindingId, address: own })).rejects.toMatchObject({
      kind: "ValidationFailed",
    });
  await bindings.client.deleteContact({ ownerId, id });
  const [resolution] = await bindings.client.resolve({ addresses: [made.reverseAddress] });
  expect(resolution?.outcome).toBe("unknown");
});

test("an account makes no more contacts by hand than its limit", async () => {
  const { ownerId, bindingId } = await answering();
  const create = (name: string) =>
    bindings.client.createContact({ ownerId, bindingId, address: `${name}@shop.example` });
  for (const name of ["a", "b", "c", "d", "a"]) await create(name);
  await expect(create("e")).rejects.toMatchObject({ kind: "RateLimited" });
});

test("a list has the last seen first, in pages, and finds by address and name", async () => {
  const { ownerId, bindingId } = await answering();
  for (const name of ["one", "two", "three"])
    await bindings.client.createContact({ ownerId, bindingId, address: `${name}@shop.example`, name: `Nr ${name}` });
  const first = await bindings.client.contacts({ ownerId, bindingId, first: 2 });
  expect(first.contacts.map(({ address }) => address)).toEqual(["three@shop.example", "two@shop.example"]);
  expect(first.totalCount).toBe(3);
  const rest = await bindings.client.contacts({ ownerId, bindingId, first: 2, after: first.nextCursor ?? "" });
  expect(rest).toMatchObject({ contacts: [{ address: "one@shop.example" }], nextCursor: null });
  await bindings.db.query("delete from contact where address = 'one@shop.example' and binding_id = $1", [bindingId]);
  const behind = await bindings.client.contacts({ ownerId, bindingId, first: 2, after: first.nextCursor ?? "" });
  expect(behind).toEqual({ contacts: [], nextCursor: null, totalCount: 2 });
  const found = await bindings.client.contacts({ ownerId, bindingId, search: "NR TW" });
  expect(found.contacts).toMatchObject([{ address: "two@shop.example" }]);
});

test("the exact form alone is a reverse address, on the domain of its proxy address alone; re@ is given to nobody", async () => {
  const { ownerId, bindingId } = await answering();
  const { id, reverseAddress } = await bindings.client.createContact({ ownerId, bindingId, address: "x@y.example" });
  const [local = ""] = reverseAddress.split("@");
  const asked = [reverseAddress, reverseAddress.toUpperCase(), `${local}a@${serviceDomain}`, `${local}@other.example`];
  const found = await bindings.client.resolve({ addresses: [...asked, `re@${serviceDomain}`] });
  expect(found.map(({ outcome }) => outcome)).toEqual(["reverse", "reverse", "unknown", "foreign", "unknown"]);
  expect(found[0]).toMatchObject({ reverse: { contactId: id, bindingId, ownerId } });
  for (const name of ["re", "RE", "re+list"])
    await expect(bindings.client.create({ ownerId, proxyAddress: `${name}@${serviceDomain}` })).rejects.toMatchObject({
      kind: "ValidationFailed",
    });
});

test("an answer from an own domain with an international name is admitted with the reverse address that forwards have", async () => {
  const ownerId = bindings.account();
  const { domain } = await bindings.client.addDomain({ ownerId, name: "bücher.example" });
  await bindings.db.query(
    "update domain set state = 'verified', epoch = 1, published_selectors = '{x}' where id = $1",
    [domain.id],
  );
  const { binding } = await bindings.client.create({
    ...{ ownerId, proxyAddress: "shop@bücher.example", realAddresses: ["me@home.example"], answers: true },
  });
  await bindings.db.query("update real_address set verified_at = now(), is_enabled = true where binding_id = $1", [
    binding.id,
  ]);
  const made = await bindings.client.createContact({ ownerId, bindingId: binding.id, address: "ann@shop.example" });
  await bindings.db.query("update contact set received = 1 where id = $1", [made.id]);
  const reverseAddress = made.reverseAddress.replace("bücher", "xn--bcher-kva");
  for (const addressed of [reverseAddress, made.reverseAddress]) {
    const admission = await bindings.client.admitAnswer({
      ...{ contactId: made.id, author: "me@home.example", addressed: [addressed] },
      ...{ isProved: true, isSpfAligned: true, isAutomatic: false },
    });
    expect(admission).toMatchObject({
      outcome: "admitted",
      recipient: { reverseAddress },
      named: [{ reverseAddress }],
    });
  }
});

test("a stranger who guesses a real address gets what any other address gets: nothing tells that the guess is right", async () => {
  const { bindingId, ownerId } = await answering();
  const mailboxes = ["me@home.example", "wrong@home.example"].map((address) => ({ address, name: "" }));
  const mapped = await bindings.client.reverseAddresses({ bindingId, receivedAt: new Date().toISOString(), mailboxes });
  expect(mapped).toMatchObject(
    mailboxes.map(() => ({ isOwn: false, reverseAddress: expect.stringMatching(reversePattern) })),
  );
  expect((await bindings.client.contacts({ ownerId, bindingId })).totalCount).toBe(2);
});

test("who writes to a binding that answers is a contact and counted once for each email; elsewhere nobody is", async () => {
  const { ownerId, bindingId, binding } = await answering();
  const { binding: silent } = await bindings.client.create({ ownerId, realAddresses: ["me@home.example"] });
  const mail = (id: string, author: string, answers: boolean) => ({
    bindingId: id,
    author,
    authorName: "Ann",
    answers,
  });
  const again = await bindings.hear(
    topics.mailAccepted,
    mail(bindingId, "ann@shop.example", true),
    mail(bindingId, "Ann@shop.example", true),
    mail(bindingId, binding.proxyAddress, true),
    mail(bindingId, "", true),
    mail(silent.id, "ann@shop.example", false),
  );
  await again();
  const { contacts } = await bindings.client.contacts({ ownerId, bindingId });
  expect(contacts).toMatchObject([{ name: "Ann", received: 2, sent: 0 }]);
  expect((await bindings.client.contacts({ ownerId, bindingId: silent.id })).totalCount).toBe(0);
  const [contact] = contacts;
  const recipients = [{ contactId: contact?.id ?? "", address: "ann@shop.example", reverseAddress: "" }];
  await bindings.hear(topics.answerAccepted, { recipients }, { recipients });
  expect((await bindings.client.contacts({ ownerId, bindingId })).contacts).toMatchObject([{ received: 2, sent: 2 }]);
});

test("contacts that nobody answered are forgotten after two years; those answered, blocked or made by hand stay", async () => {
  const { ownerId, bindingId } = await answering();
  const names = ["seen", "answered", "blocked", "fresh"];
  await bindings.client.reverseAddresses({
    bindingId,
    receivedAt: new Date().toISOString(),
    mailboxes: names.map((name) => ({ address: `${name}@shop.example`, name })),
  });
  await bindings.client.createContact({ ownerId, bindingId, address: "hand@shop.example" });
  await bindings.db.query(
    "update contact set last_seen_at = now() - interval '3 years' where binding_id = $1 and name <> 'fresh'",
    [bindingId],
  );
  await bindings.db.query("update contact set sent = 1 where binding_id = $1 and name = 'answered'", [bindingId]);
  await bindings.db.query("update contact set blocked_at = now() where binding_id = $1 and name = 'blocked'", [
    bindingId,
  ]);
  const task = bindings.task("unanswered-contacts");
  task.start();
  await task.stop();
  const { contacts } = await bindings.client.contacts({ ownerId, bindingId });
  expect(contacts.map(({ address }) => address.split("@")[0]).sort()).toEqual(["answered", "blocked", "fresh", "hand"]);
});

test("whom a message only named is answered beside one who wrote, and not alone; where replies go to is answered", async () => {
  const { bindingId, ownerId, binding } = await answering();
  await bindings.db.query("update real_address set verified_at = now() where binding_id = $1", [bindingId]);
  const mailboxes = ["ann", "cc", "desk"].map((name) => ({
    address: `${name}@shop.example`,
    name,
    invitesReplies: name === "desk",
  }));
  const mapped = await bindings.client.reverseAddresses({ bindingId, receivedAt: new Date().toISOString(), mailboxes });
  await bindings.hear(topics.mailAccepted, { bindingId, author: "ann@shop.example", authorName: "", answers: true });
  const { contacts } = await bindings.client.contacts({ ownerId, bindingId });
  const [ann = "", cc = "", desk = ""] = mapped.map(({ reverseAddress }) => reverseAddress ?? "");
  const answerTo = async (address: string, addressed: string[]) => {
    const contactId = contacts.find(({ reverseAddress }) => reverseAddress === address)?.id ?? "";
    const asked = { contactId, author: "me@home.example", addressed, isProved: true, isSpfAligned: true };
    const admission = await bindings.client.admitAnswer({ ...asked, isAutomatic: false });
    return admission.outcome === "refused" ? admission.reason : admission.outcome;
  };
  expect(await answerTo(ann, [ann])).toBe("admitted");
  expect(await answerTo(desk, [desk])).toBe("admitted");
  expect(await answerTo(cc, [cc, binding.proxyAddress])).toBe("not-written");
  expect(await answerTo(cc, [ann, cc])).toBe("admitted");
});

test("an automatic answer whose admission its server did not hear of counts once, however often it comes; another is over the limit", async () => {
  const { bindingId, ownerId } = await answering();
  await bindings.db.query("update real_address set verified_at = now() where binding_id = $1", [bindingId]);
  const { id, reverseAddress } = await bindings.client.createContact({ ownerId, bindingId, address: "a@shop.example" });
  await bindings.db.query("update contact set received = 1 where id = $1", [id]);
  const admit = async (digest?: string, author = "me@home.example") => {
    const proof = { isProved: true, isSpfAligned: true, isAutomatic: true };
    const asked = { contactId: id, author, addressed: [reverseAddress], ...proof, digest };
    const admission = await bindings.client.admitAnswer(asked);
    return admission.outcome === "refused" ? admission.reason : admission.outcome;
  };
  expect([await admit("one"), await admit("one"), await admit("one")]).toEqual(["admitted", "admitted", "admitted"]);
  expect([await admit("two"), await admit("two"), await admit()]).toEqual(["over-limit", "over-limit", "over-limit"]);
  expect(await admit("one", "stranger@home.example")).toBe("not-owner");
});
