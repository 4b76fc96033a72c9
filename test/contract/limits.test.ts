import { beforeAll, describe, expect, test } from "@jest/globals";
import { bindingLimits } from "../../services/bindings/contract.ts";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import type { Answer } from "./support/ask.ts";
import { changeBinding, createBinding, freshName, madeBinding } from "./support/bindings.ts";
import { openApi } from "./support/declared.ts";
import type { Schema } from "./support/from-schema.ts";
import { contractInstallation } from "./support/installation.ts";

// Whether /openapi.json says what the server does: at each limit that it names a value is taken, and one beyond is not.

let anna: TestAccount;
let schemas: Record<string, Schema>;
beforeAll(async () => {
  anna = await newAccount("anna");
  const document = (await openApi((await contractInstallation()).url)) as unknown as {
    components: { schemas: Record<string, Schema> };
  };
  schemas = document.components.schemas;
});

const attributesOf = (name: string) =>
  schemas[name]?.properties?.["data"]?.properties?.["attributes"]?.properties ?? {};

/** A schema and all that it may be instead. */
const alternatives = (schema: Schema = {}): Schema[] => [schema, ...(schema.anyOf ?? []).flatMap(alternatives)];

function limitOf(schema: Schema | undefined, keyword: keyof Schema): number {
  const [limit] = alternatives(schema).flatMap((each) => each[keyword] ?? []);
  if (typeof limit !== "number") throw new Error(`the document names no ${keyword}`);
  return limit;
}

const domain = "postern.localhost";
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@example.org`);
/** RFC 5321 section 4.5.3.1: 64 octets before the @, 63 in a label. */
const addressOf = (length: number) => {
  const local = "x".repeat(64);
  const filler = `${"d".repeat(63)}.${"e".repeat(63)}.`;
  return `${local}@${filler}${"f".repeat(length - local.length - filler.length - 5)}.org`;
};

async function taken(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer;
  expect([status, text]).toEqual([expect.any(Number), expect.any(String)]);
  expect([200, 201]).toContain(status);
}

async function refused(answer: Promise<Answer>, member: string): Promise<void> {
  const { status, body } = await answer;
  expect(status).toBe(422);
  expect(body["data"]?.["attributes"]?.["message"]).toEqual(expect.stringContaining(`data.attributes.${member}`));
}

type Send = (attributes: Record<string, unknown>) => Promise<Answer>;

const schemasAndSends: [string, () => Send][] = [
  ["ProxyBindingCreation", () => (attributes) => createBinding(anna, attributes)],
  ["ProxyBindingChange", () => async (attributes) => changeBinding(anna, (await madeBinding(anna)).id, attributes)],
];

describe.each(schemasAndSends)("%s", (name, sendBy) => {
  test.each(["description", "callback_url"])("maxLength of %s", async (member) => {
    const max = limitOf(attributesOf(name)[member], "maxLength");
    const value = (length: number) => "https://example.com/".padEnd(length, "x");
    await taken(sendBy()({ [member]: value(max) }));
    await refused(sendBy()({ [member]: value(max + 1) }), member);
  });

  test("maxItems of real_addresses, minLength and maxLength of each", async () => {
    const member = attributesOf(name)["real_addresses"];
    const max = limitOf(member, "maxItems");
    const each = alternatives(member).find(({ items }) => items)?.items;
    await taken(sendBy()({ real_addresses: addresses(max) }));
    await refused(sendBy()({ real_addresses: addresses(max + 1) }), "real_addresses");
    const longest = limitOf(each, "maxLength");
    await taken(sendBy()({ real_addresses: [addressOf(longest)] }));
    await refused(sendBy()({ real_addresses: [addressOf(longest + 1)] }), "real_addresses");
    await refused(sendBy()({ real_addresses: ["x".repeat(limitOf(each, "minLength") - 1)] }), "real_addresses");
  });

  test("the pattern of each text: no NUL", async () => {
    const texts = Object.entries(attributesOf(name)).filter(([, schema]) =>
      alternatives(schema).some(({ type }) => type === "string"),
    );
    const patterned = texts.filter(([, schema]) => alternatives(schema).some(({ pattern }) => pattern));
    expect(patterned.map(([member]) => member)).toEqual(expect.arrayContaining(["description", "callback_url"]));
    for (const [member, schema] of patterned) {
      const { pattern = "" } = alternatives(schema).find((each) => each.pattern) ?? {};
      expect(new RegExp(pattern).test("a\0b")).toBe(false);
      await refused(sendBy()({ [member]: "a\0b" }), member);
    }
  });
});

test("maxLength of proxy_address", async () => {
  const max = limitOf(attributesOf("ProxyBindingCreation")["proxy_address"], "maxLength");
  await refused(
    createBinding(anna, { proxy_address: `${freshName()}@${domain}`.padStart(max + 1, "x") }),
    "proxy_address",
  );
});

test("minItems, minProperties and maxProperties of the set that a change gives", async () => {
  const { id } = await madeBinding(anna);
  const member = attributesOf("ProxyBindingChange")["real_addresses"];
  const set = (count: number) => Object.fromEntries(addresses(count).map((address) => [address, true]));
  for (const [keyword, make] of [
    ["minItems", addresses],
    ["minProperties", set],
  ] as const) {
    const min = limitOf(member, keyword);
    await taken(changeBinding(anna, id, { real_addresses: make(min) }));
    await refused(changeBinding(anna, id, { real_addresses: make(min - 1) }), "real_addresses");
  }
  const max = limitOf(member, "maxProperties");
  await taken(changeBinding(anna, id, { real_addresses: set(max) }));
  await refused(changeBinding(anna, id, { real_addresses: set(max + 1) }), "real_addresses");
});

test("every limit that bindings has is in the document", () => {
  const text = JSON.stringify([schemas["ProxyBindingCreation"], schemas["ProxyBindingChange"]]);
  // Names are set in the graph alone.
  const { nameCharacters: _inGraph, ...limits } = bindingLimits;
  for (const limit of Object.values(limits)) expect(text).toMatch(new RegExp(`"max(Length|Items)":${limit}\\b`));
});

test("what a body may have is said where it is refused", async () => {
  const { paths } = (await openApi((await contractInstallation()).url)) as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
  };
  const said = (path: string) => paths[path]?.["post"]?.responses["413"]?.description;
  for (const path of ["auth", "2fa", "users", "resend-confirmation", "proxy-bindings"])
    expect(said(`/api/v1/${path}`)).toBe("The body is larger than 1 MiB.");
  expect(said("/api/v1/callback/call/{hash}")).toBe("The body is larger than 10 MiB.");
});
