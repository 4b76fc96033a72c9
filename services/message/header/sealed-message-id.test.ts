import { createHash, createSecretKey, type KeyObject } from "node:crypto";
import { expect, test } from "@jest/globals";
import { messageIdsIn, SealedMessageIds } from "./sealed-message-id.ts";

const keyed = (...secrets: [string, ...string[]]) =>
  new SealedMessageIds({
    signingKeys: (purpose) =>
      secrets.map((secret) => createSecretKey(createHash("sha256").update(`${secret}/${purpose}`).digest())) as [
        KeyObject,
        ...KeyObject[],
      ],
  });
const ids = keyed("now", "before");
const at = { hopCount: 3, domain: "shop.example" };

test("an identifier is sealed the same each time, and opened by its owner alone", () => {
  const sealed = ids.seal("anna", "<CAF=x.y+z@mail.home.example>", at);
  expect(sealed).toMatch(/^<[\w-]+@shop\.example>$/);
  expect(ids.seal("anna", "CAF=x.y+z@mail.home.example", at)).toBe(sealed);
  expect(sealed).not.toContain("home");
  expect(Buffer.from(sealed.slice(1).split("@")[0] ?? "", "base64url").toString("latin1")).not.toContain("home");
  expect(ids.open("anna", sealed)).toBe("<CAF=x.y+z@mail.home.example>");
  expect(ids.open("bert", sealed)).toBeUndefined();
  expect(ids.seal("bert", "<CAF=x.y+z@mail.home.example>", at)).not.toBe(sealed);
});

test("its hop count is read without its owner, cannot be changed, and is 0 for what is not ours", () => {
  for (const hopCount of [0, 1, 5, 255])
    expect(ids.hopCount(ids.seal("anna", "<a@b.example>", { ...at, hopCount }))).toBe(hopCount);
  const sealed = ids.seal("anna", "<a@b.example>", at);
  for (let place = 1; place < sealed.indexOf("@"); place += 1) {
    const other = sealed[place] === "A" ? "Q" : "A";
    const changed = sealed.slice(0, place) + other + sealed.slice(place + 1);
    expect([ids.hopCount(changed) === 3, ids.open("anna", changed)]).not.toEqual([true, "<a@b.example>"]);
  }
  for (const foreign of ["<a@b.example>", `<${"A".repeat(60)}@b.example>`, "", "<>", `<${"_-".repeat(200)}@b>`])
    expect([ids.hopCount(foreign), ids.open("anna", foreign)]).toEqual([0, undefined]);
});

test("what the previous key sealed is still opened", () => {
  const sealed = keyed("before").seal("anna", "<a@b.example>", at);
  expect([ids.open("anna", sealed), ids.hopCount(sealed)]).toEqual(["<a@b.example>", 3]);
  expect(keyed("now").open("anna", sealed)).toBeUndefined();
});

test("one of over 180 octets becomes a digest: short, the same each time, and opened by nobody", () => {
  const long = `<${"x".repeat(200)}@home.example>`;
  const sealed = ids.seal("anna", long, at);
  expect(sealed.length).toBeLessThan(120);
  expect(ids.seal("anna", long, at)).toBe(sealed);
  expect(ids.open("anna", sealed)).toBeUndefined();
  expect(ids.hopCount(sealed)).toBe(3);
  const longest = `<${"x".repeat(167)}@home.example>`;
  expect(ids.open("anna", ids.seal("anna", longest, at))).toBe(longest);
});

test("any octets come back", () => {
  for (let length = 0; length <= 180; length += 7) {
    const id = `<${Array.from({ length }, (_, index) => String.fromCharCode((index * 37 + length) % 256)).join("")}>`;
    if (/^<[^<>]*>$/.test(id)) expect(ids.open("anna", ids.seal("anna", id, at))).toBe(id);
  }
});

test("identifiers are found in bodies as people write them", () => {
  expect(messageIdsIn("<a@b>\t<c@d> (comment) x <no id at all> <e@f>")).toEqual(["<a@b>", "<c@d>", "<e@f>"]);
});
