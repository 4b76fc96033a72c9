import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { AnsweringOwner, type AnswerOptions, strangersHost } from "../support/mail/answering-owner.ts";

// Whoever gets mail past these checks writes in the name of an owner, to anybody that the owner ever wrote to.

let owner: AnsweringOwner;
let id: string;
let proxyAddress: string;
let ann: string;
let bob: string;

beforeAll(async () => {
  owner = await AnsweringOwner.start({ SENDING: "answers" }, { "failing._domainkey.example.org TXT": ["SERVFAIL"] });
  ({ id, proxyAddress } = await owner.binding());
  const names = ["From: Ann <ann@shop.example>", `To: ${proxyAddress}, bob@shop.example`];
  const forwarded = await owner.forwarded(proxyAddress, [...names, "Message-ID: <offer@shop.example>"]);
  [ann, bob] = [owner.reverseIn(forwarded), owner.reverseIn(forwarded, "To")];
});
afterAll(() => owner.dispose());

const to = (address: string, ...others: string[]) => [`To: ${address}`, ...others];
const code = async (reply: Promise<string>) => (await reply).slice(0, 9);
const answered = (options: Partial<AnswerOptions>, address = ann) =>
  code(owner.answer(address, { header: to(address), host: strangersHost, ...options }));

test("what the owner's domain did not sign whole is refused: unsigned, by a third party, by a child domain, with l=, without Cc", async () => {
  expect(await answered({ signer: "" })).toBe("550 5.7.1");
  expect(await answered({ signer: "third.example" })).toBe("550 5.7.1");
  expect(await answered({ signer: "child.example.org" })).toBe("550 5.7.1");
  expect(await answered({ signing: { maxBodyLength: 5 } })).toBe("550 5.7.1");
  expect(await answered({ signing: { headerList: ["from", "date", "to"] } })).toBe("550 5.7.1");
  expect(
    await answered({ header: to(ann, `Cc: ${bob}`), signing: { headerList: ["from", "date", "message-id", "to"] } }),
  ).toBe("550 5.7.1");
  expect(await answered({})).toBe("250 2.0.0");
});

test("while DNS has no certain answer about the key it is to come again, and what is certainly not there proves nothing", async () => {
  expect(await answered({ signing: { selector: "failing" } })).toBe("451 4.7.0");
  expect(await answered({ signing: { selector: "missing" } })).toBe("550 5.7.1");
});

test("aligned SPF alone does only where the owner says so", async () => {
  const bySpf = () => code(owner.answer(ann, { header: to(ann), signer: "" }));
  expect(await bySpf()).toBe("550 5.7.1");
  const change = (spfSuffices: boolean) =>
    owner.graph(
      "mutation ($id: ID!, $input: UpdateProxyBindingInput!) { updateProxyBinding(id: $id, input: $input) { proxyBinding { id } } }",
      { id, input: { realAddresses: [{ address: owner.realAddress, spfSuffices }] } },
    );
  await change(true);
  expect(await bySpf()).toBe("250 2.0.0");
  await change(false);
});

test("a real address of another binding, one that is not confirmed, and one that is switched off answer nobody", async () => {
  const second = "second@example.org";
  const other = await owner.binding({ realAddresses: [second] });
  const { createContact } = await owner.graph(
    'mutation ($id: ID!) { createContact(bindingId: $id, address: "eve@shop.example") { contact { reverseAddress } } }',
    { id: other.id },
  );
  const eve = String(createContact?.["contact"]?.["reverseAddress"]);
  const refused = expect.stringMatching(/^550 5\.7\.1 This reverse address is not the author's/);
  for (const author of [owner.realAddress, second])
    expect(await owner.answer(eve, { header: to(eve, `From: ${author}`) })).toEqual(refused);
  const enable = (isEnabled: boolean) =>
    owner.graph(
      "mutation ($id: ID!, $input: UpdateProxyBindingInput!) { updateProxyBinding(id: $id, input: $input) { proxyBinding { id } } }",
      { id, input: { realAddresses: [{ address: owner.realAddress, isEnabled }] } },
    );
  await enable(false);
  expect(await owner.answer(ann, { header: to(ann) })).toEqual(refused);
  await enable(true);
});

test("two authors, an author who is not the owner, an old or a future Date, a field twice", async () => {
  const dated = (days: number) => `Date: ${new Date(Date.now() + days * 86_400_000).toUTCString()}`;
  expect(await answered({ header: to(ann, `From: ${owner.realAddress}, eve@example.org`) })).toBe("550 5.7.1");
  expect(await answered({ header: to(ann, "From: eve@example.org") })).toBe("550 5.7.1");
  expect(await answered({ header: to(ann, dated(-6)) })).toBe("550 5.7.1");
  expect(await answered({ header: to(ann, dated(2)) })).toBe("550 5.7.1");
  expect(await answered({ header: to(ann, `To: ${bob}`) })).toBe("550 5.7.1");
});

test("a replayed answer is taken and never sent again; to another contact than it names it is refused", async () => {
  const mark = owner.mark();
  const message = await owner.signed({ header: to(ann, `Subject: ${mark}`) });
  expect(await code(owner.submit(ann, message, strangersHost))).toBe("250 2.0.0");
  await owner.left((mail) => mail.message.includes(mark));
  const again = Buffer.concat([Buffer.from("Received: from elsewhere\r\n"), message]);
  expect(await code(owner.submit(ann, again, strangersHost))).toBe("250 2.0.0");
  expect(await code(owner.submit(bob, message, strangersHost))).toBe("550 5.7.1");
  const other = owner.mark();
  expect(await answered({ header: to(ann, `Subject: ${other}`) })).toBe("250 2.0.0");
  // What was taken after it has left, so it would have as well.
  await owner.left((mail) => mail.message.includes(other));
  const sent = (await owner.installation.outbound()).filter((mail) => mail.message.includes(mark));
  expect(sent).toHaveLength(1);
});

test("a contact of another binding, a stranger in Cc, an unknown and a removed reverse address", async () => {
  const other = await owner.binding();
  const forwarded = await owner.forwarded(other.proxyAddress, [
    "From: dan@shop.example",
    "Message-ID: <x@shop.example>",
  ]);
  const dan = owner.reverseIn(forwarded);
  expect(await answered({ header: to(ann, `Cc: ${dan}`) })).toBe("550 5.7.1");
  expect(await answered({ header: to(ann, "Cc: stranger@far.example") })).toBe("550 5.7.1");
  expect(await answered({}, `re+${"a".repeat(26)}@postern.localhost`)).toBe("550 5.1.1");
});

test("answers switched off, a blocked contact, and a contact made by hand who has not written", async () => {
  const quiet = await owner.binding();
  const forwarded = await owner.forwarded(quiet.proxyAddress, [
    "From: eve@shop.example",
    "Message-ID: <y@shop.example>",
  ]);
  const eve = owner.reverseIn(forwarded);
  const { createContact } = await owner.graph(
    'mutation ($id: ID!) { createContact(bindingId: $id, address: "cold@far.example") { contact { reverseAddress } } }',
    { id: quiet.id },
  );
  expect(await answered({}, String(createContact?.["contact"]?.["reverseAddress"]))).toBe("550 5.7.1");
  const { proxyBinding } = await eventually(async () => {
    const found = await owner.graph(
      'query ($id: ID!) { proxyBinding(id: $id) { contacts(search: "eve") { nodes { id } } } }',
      { id: quiet.id },
    );
    return found;
  });
  const contactId = proxyBinding?.["contacts"]?.["nodes"]?.[0]?.["id"];
  await owner.graph("mutation ($id: ID!) { updateContact(id: $id, isBlocked: true) { contact { id } } }", {
    id: contactId,
  });
  expect(await answered({}, eve)).toBe("550 5.7.1");
  await owner.graph("mutation ($id: ID!) { updateContact(id: $id, isBlocked: false) { contact { id } } }", {
    id: contactId,
  });
  expect(await answered({}, eve)).toBe("250 2.0.0");
  await owner.graph(
    "mutation ($id: ID!) { updateProxyBinding(id: $id, input: { answers: false }) { proxyBinding { id } } }",
    { id: quiet.id },
  );
  expect(await answered({}, eve)).toBe("550 5.7.1");
});

test("a reverse address shares its transaction with nothing but itself", async () => {
  const { SmtpClient } = await import("../support/mail/smtp.ts");
  const client = await SmtpClient.open(owner.installation.smtpPort);
  await client.command(`MAIL FROM:<${owner.realAddress}>`);
  const replies: string[] = [];
  for (const address of [ann, bob, proxyAddress, ann])
    replies.push((await client.command(`RCPT TO:<${address}>`)).slice(0, 9));
  client.destroy();
  expect(replies).toEqual(["250 2.1.5", "452 4.5.3", "452 4.5.3", "250 2.1.5"]);
});

test("two owners' responders that answer each other end within five, and a responder answers a contact once a day", async () => {
  const peer = await owner.binding();
  let [from, recipient] = [proxyAddress, peer.proxyAddress];
  let inReplyTo = "<start@shop.example>";
  const replies: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const header = [`From: ${from}`, `To: ${recipient}`, `Message-ID: ${inReplyTo}`];
    const reverse = owner.reverseIn(await owner.forwarded(recipient, header));
    const mark = owner.mark();
    const reply = await owner.answer(reverse, { header: to(reverse, `Subject: ${mark}`, `In-Reply-To: ${inReplyTo}`) });
    replies.push(reply.slice(0, 9));
    if (!reply.startsWith("250")) break;
    const left = await owner.left((mail) => mail.message.includes(mark));
    inReplyTo = /^Message-ID:\s*(<.*>)/im.exec(left.message.toString())?.[1] ?? "";
    [from, recipient] = [recipient, from];
  }
  expect(replies).toEqual([...Array(5).fill("250 2.0.0"), "554 5.4.6"]);
  const automatic = () => owner.signed({ header: to(ann, "Auto-Submitted: auto-replied") });
  const first = await automatic();
  const submitted: string[] = [];
  // The same one once more, as when its server did not hear the 250, counts towards nothing.
  for (const message of [first, first, await automatic()]) submitted.push(await code(owner.submit(ann, message)));
  expect(submitted).toEqual(["250 2.0.0", "250 2.0.0", "452 4.2.1"]);
});
