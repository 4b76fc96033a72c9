import { randomInt } from "node:crypto";
import { z } from "zod";
import { Refusal } from "../../../platform/errors.ts";
import { languageOf } from "../../../platform/http/language-of.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { type Caller, respond } from "../../http/endpoint.ts";
import { absentIfNull, wellFormedText } from "../../http/schemas.ts";
import type { Services } from "../../services.ts";
import { createAddress } from "../create-address.ts";
import { simpleLogin } from "../endpoint.ts";
import { aliasesOf, IntegerId, NewAlias } from "./alias.ts";

const text = absentIfNull(wellFormedText("a string"));

const hostname = {
  hostname: { schema: z.string(), description: "The website that the address is for; the note where there is none" },
};

async function createAlias(services: Services, caller: Caller, creation: Parameters<typeof createAddress>[2]) {
  const [alias] = await aliasesOf(services, caller, [await createAddress(services, caller, creation)]);
  if (!alias) throw new Refusal("NotFound", { public: "The address was removed again." });
  return respond(201, { ...alias, alias: alias.email });
}

const makeRandomAlias = simpleLogin({
  name: "makeRandomAlias",
  summary: "Make a proxy address, as SimpleLogin does",
  description: "It leads to the key's targets, or else to the account's own address. 60 an hour for one key.",
  method: "POST",
  path: "/api/alias/random/new",
  scope: "alias:create",
  query: hostname,
  body: z.object({ note: text }),
  memberOf: { description: "note" },
  responses: { 201: NewAlias },
  refusals: [429],
  handle: async ({ services, caller, query, body, request }) =>
    createAlias(services, caller, {
      description: body.note || storableText(query.get("hostname") ?? "", 1_000),
      language: languageOf(request),
    }),
});

const Suffix = z.object({
  suffix: z.string().meta({ example: ".river@postern.localhost" }),
  signed_suffix: z.string().meta({ description: "What POST /api/v3/alias/custom/new takes" }),
  is_custom: z.boolean(),
  is_premium: z.boolean(),
});

const Options = z
  .object({ can_create: z.boolean(), prefix_suggestion: z.string(), suffixes: z.array(Suffix) })
  .meta({ id: "SimpleLoginAliasOptions" });

/** The account's own domains, then the service's. */
export async function domainsOf({ bindings, serviceDomain }: Services, { accountId: ownerId, key }: Caller) {
  const own = (await bindings.domains({ ownerId })).filter(({ state }) => state === "verified" || state === "broken");
  const all = [...own.map(({ name }) => ({ name, isOwn: true })), { name: serviceDomain, isOwn: false }];
  return key?.domain == null ? all : all.filter(({ name }) => name === key.domain);
}

const showAliasOptions = simpleLogin({
  name: "showAliasOptions",
  summary: "Show what an address of one's choice may end in",
  method: "GET",
  path: "/api/v5/alias/options",
  scope: "alias:read",
  query: hostname,
  responses: { 200: Options },
  async handle({ services, caller, query }) {
    const suffixes = (await domainsOf(services, caller)).flatMap(({ name, isOwn }) =>
      // On a domain of all accounts most short names are somebody's.
      (isOwn ? [`@${name}`] : [`.${randomLetters()}@${name}`, `@${name}`]).map((suffix) => ({
        suffix,
        signed_suffix: suffix,
        is_custom: isOwn,
        is_premium: false,
      })),
    );
    return respond(200, {
      can_create: suffixes.length > 0,
      prefix_suggestion: prefixFor(query.get("hostname")),
      suffixes,
    });
  },
});

const suffixLetters = 5;

function randomLetters(): string {
  return Array.from({ length: suffixLetters }, () => String.fromCharCode(97 + randomInt(26))).join("");
}

/** www.shop.example → shop */
function prefixFor(name: string | null): string {
  const labels = (name ?? "")
    .toLowerCase()
    .replace(/^www\./, "")
    .split(".");
  return (labels.at(-2) ?? labels[0] ?? "").replaceAll(/[^a-z0-9-]/g, "").slice(0, 40);
}

const CustomAlias = z.object({
  alias_prefix: wellFormedText("a string"),
  signed_suffix: wellFormedText("a suffix of GET /api/v5/alias/options"),
  mailbox_ids: z.array(IntegerId, { error: "expected an array of ids" }).nullish(),
  note: text,
  name: text,
});

const makeCustomAlias = simpleLogin({
  name: "makeCustomAlias",
  summary: "Make an address of one's choice",
  method: "POST",
  path: "/api/v3/alias/custom/new",
  scope: "alias:create",
  query: hostname,
  body: CustomAlias,
  memberOf: {
    proxyAddress: "alias_prefix",
    description: "note",
    displayName: "name",
    realAddresses: "mailbox_ids",
  },
  responses: { 201: NewAlias },
  refusals: [409, 429],
  async handle({ services, caller, query, body, request }) {
    const { alias_prefix, signed_suffix, mailbox_ids, note, name } = body;
    return createAlias(services, caller, {
      proxyAddress: `${alias_prefix}${signed_suffix}`,
      description: note || storableText(query.get("hostname") ?? "", 1_000),
      displayName: name,
      language: languageOf(request),
      realAddresses: mailbox_ids?.length ? await addressesOf(services, caller, mailbox_ids) : undefined,
    });
  },
});

/** The targets that SimpleLogin's programs call mailboxes. @throws Refusal ValidationFailed */
export async function addressesOf({ bindings }: Services, { accountId: ownerId }: Caller, ids: readonly number[]) {
  const targets = await bindings.targets({ ownerId });
  return ids.map((id) => {
    const target = targets.find(({ number }) => number === id);
    if (!target) throw new Refusal("ValidationFailed", { public: "mailbox_ids: there is no such mailbox." });
    return target.address;
  });
}

export const newAliasEndpoints = [makeRandomAlias, showAliasOptions, makeCustomAlias] as const;
