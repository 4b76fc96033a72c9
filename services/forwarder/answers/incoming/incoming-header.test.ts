import { expect, test } from "@jest/globals";
import { parseAddressList } from "../../../message/address/address-list.ts";
import { type HeaderField, parseFields, serializeFields, unfoldedBody } from "../../../message/header/fields.ts";
import { namedMailboxes } from "../named-mailboxes.ts";
import { type IncomingRewriting, incomingHeader } from "./incoming-header.ts";

const token = (name: string) => `re+${name.padEnd(26, "a")}@proxy.example`;
const known = ["ann@shop.example", "bob@shop.example", "list@lists.example", "leave@lists.example"];
const side: IncomingRewriting = {
  reverseAddresses: new Map([
    ...known.map((address) => [address, token(address.split("@")[0] ?? "")] as const),
    ["me@proxy.example", "own"],
    ["me+tag@proxy.example", "own"],
  ]),
  proxyAddress: "me@proxy.example",
  ownDomains: ["proxy.example"],
  isUnverified: false,
  originalId: (id) => (id === "<sealed@proxy.example>" ? "<own@home.example>" : undefined),
};

const fieldsOf = (...lines: string[]) => parseFields(Buffer.from(`${lines.join("\r\n")}\r\n`));
const bodies = (fields: readonly HeaderField[]) => fields.map((field) => [field.name, unfoldedBody(field)]);
const rewritten = (...lines: string[]) => bodies(incomingHeader(fieldsOf(...lines), side));

test("every address that can be answered is a reverse address, its own is the proxy address, and names stay", () => {
  expect(
    rewritten(
      "From: Ann Lee <ann@shop.example>",
      "Reply-To: bob@shop.example",
      'To: "Me" <me@proxy.example>, Bob <BOB@shop.example>',
      "Cc: The list: list@lists.example, me+tag@proxy.example;",
      "Subject: Hello",
    ),
  ).toEqual([
    ["from", `"Ann Lee (ann at shop.example)" <${token("ann")}>`],
    ["reply-to", `"bob at shop.example" <${token("bob")}>`],
    ["to", `"Me" <me@proxy.example>, "Bob (BOB at shop.example)" <${token("bob")}>`],
    ["cc", `"list at lists.example" <${token("list")}>, <me@proxy.example>`],
    ["subject", "Hello"],
  ]);
});

test("who is beyond the limit is in a group without addresses; who is no address at all is nobody", () => {
  expect(
    rewritten("From: ann@shop.example", "To: x@far.example, y@far.example, bob@shop.example", "Cc: nonsense"),
  ).toEqual([
    ["from", `"ann at shop.example" <${token("ann")}>`],
    ["to", `"bob at shop.example" <${token("bob")}>, "2 more":;`],
  ]);
  expect(rewritten("To: undisclosed-recipients:;")).toEqual([["to", '"undisclosed-recipients":;']]);
});

test("an author who has no reverse address writes from the proxy address", () => {
  for (const from of ["From: stranger@far.example", "From: me@proxy.example", "From: nobody at all"])
    expect(rewritten(from)[0]?.[1]).toMatch(/ <me@proxy\.example>$/);
});

test("an author who is not authenticated is marked where the author's domain asks for suspicion", () => {
  const marked = incomingHeader(fieldsOf("From: =?utf-8?q?J=C3=B6rg?= <ann@shop.example>"), {
    ...side,
    isUnverified: true,
  });
  expect(bodies(marked)).toEqual([
    ["from", `"Unverified:" =?utf-8?q?J=C3=B6rg?= "(ann at shop.example)" <${token("ann")}>`],
  ]);
});

test("fields by which an answer or a notification would name the real address are taken out", () => {
  const removed = [
    ...["Disposition-Notification-To", "Return-Receipt-To", "Sender", "Mail-Followup-To", "Mail-Reply-To"],
    "Chat-Disposition-Notification-To",
    ...["Resent-From", "Resent-Sender", "Resent-To"],
  ];
  expect(rewritten("From: ann@shop.example", ...removed.map((name) => `${name}: ann@shop.example`))).toHaveLength(1);
});

test("mailto URLs of lists lead to contacts, and other URLs stay", () => {
  const [, post, leave, other] = rewritten(
    "From: ann@shop.example",
    "List-Post: <mailto:list@lists.example>",
    "List-Unsubscribe: <https://lists.example/leave?u=1>,\r\n <mailto:leave%40lists.example?subject=leave>",
    "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    "List-Owner: <mailto:stranger@far.example>",
  );
  expect(post?.[1]).toBe(`<mailto:${token("list")}>`);
  expect(leave?.[1]).toBe(`<https://lists.example/leave?u=1>,\t<mailto:${token("leave")}?subject=leave>`);
  expect(other?.[0]).toBe("list-unsubscribe-post");
});

test("a mailto URL of a list leads past a contact to nobody, in whatever way it names others", () => {
  const [, ...fields] = rewritten(
    "From: ann@shop.example",
    "List-Unsubscribe: <mailto:leave@lists.example?cc=spy@x.example&Subject=leave%0D%0ABcc:%20x&%62cc=spy@x.example&body=x&to=spy@x.example>",
    "List-Help: <mailto:list@lists.example?cc=spy@x.example>",
    "List-Archive: <mailto:list@lists.example?in-reply-to=x>, <https://lists.example/>, mailto:spy@x.example",
    "List-Owner: mailto:spy@x.example",
    "List-Subscribe: <mailto:list@lists.example,spy@x.example>, <mailto:?to=spy@x.example>",
    "List-Post: NO (closed)",
  );
  expect(fields).toEqual([
    ["list-unsubscribe", `<mailto:${token("leave")}?Subject=leaveBcc:%20x&body=x>`],
    ["list-help", `<mailto:${token("list")}>`],
    ["list-archive", `<mailto:${token("list")}>,\t<https://lists.example/>`],
    ["list-post", "NO (closed)"],
  ]);
});

test("identifiers of ours are the owner's again, and what the contact knows stays in References", () => {
  const [, reply, references] = rewritten(
    "From: ann@shop.example",
    "In-Reply-To: <sealed@proxy.example>",
    "References: <first@shop.example> <sealed@proxy.example>",
  );
  expect(reply).toEqual(["in-reply-to", "<own@home.example>"]);
  expect(references).toEqual(["references", "<first@shop.example> <sealed@proxy.example> <own@home.example>"]);
  const [, , added] = rewritten("From: ann@shop.example", "In-Reply-To: <sealed@proxy.example>");
  expect(added).toEqual(["references", "<sealed@proxy.example> <own@home.example>"]);
  expect(rewritten("In-Reply-To: <other@shop.example>")).toEqual([["in-reply-to", "<other@shop.example>"]]);
});

test("no display name, however it is made, adds a field or another address", () => {
  const hostile = [
    '"a\\" <evil@far.example>, \\"b" <ann@shop.example>',
    "=?utf-8?q?x=0D=0ABcc:_evil=40far.example?= <ann@shop.example>",
    '"x\r\n Bcc: evil@far.example" <ann@shop.example>',
    "ann@shop.example (comment\r\n\tBcc: evil@far.example)",
    `"${"x".repeat(3_000)}" <ann@shop.example>`,
  ];
  for (const from of hostile) {
    const fields = incomingHeader(fieldsOf(`From: ${from}`), side);
    const [again, ...others] = parseFields(Buffer.from(serializeFields(fields), "latin1"));
    expect(others).toEqual([]);
    expect(again?.name).toBe("from");
    const { mailboxes, isWellFormed } = parseAddressList(again ? unfoldedBody(again) : "");
    expect([mailboxes.length, isWellFormed]).toEqual([1, true]);
    expect(again?.raw).toMatch(new RegExp(`<${token("ann").replace("+", "\\+")}>$`));
  }
});

test("whom a header names is listed once, authors first, with the names decoded", () => {
  const fields = fieldsOf(
    "Cc: bob@shop.example",
    "From: =?utf-8?q?J=C3=B6rg?= <ann@shop.example>",
    "To: ANN@shop.example, group: x@y.example;",
    "List-Post: NO (closed)",
    "List-Unsubscribe: <mailto:leave@lists.example>",
  );
  expect(namedMailboxes(fields)).toEqual([
    { address: "ann@shop.example", name: "Jörg", invitesReplies: true },
    { address: "x@y.example", name: "", invitesReplies: false },
    { address: "bob@shop.example", name: "", invitesReplies: false },
    { address: "leave@lists.example", name: "", invitesReplies: true },
  ]);
});
