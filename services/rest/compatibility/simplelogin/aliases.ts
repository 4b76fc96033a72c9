import { z } from "zod";
import type { ProxyBinding } from "../../../bindings/contract.ts";
import { Refusal } from "../../../platform/errors.ts";
import { languageOf } from "../../../platform/http/language-of.ts";
import { type Call, type Caller, respond } from "../../http/endpoint.ts";
import { absentIfNull, wellFormedText } from "../../http/schemas.ts";
import { allPages } from "../../http/send.ts";
import type { Services } from "../../services.ts";
import { simpleLogin } from "../endpoint.ts";
import { Alias, aliasesOf, bindingOf, IntegerId, isAnyTargetEnabled } from "./alias.ts";
import { addressesOf } from "./new-alias.ts";
import { paged, pageOf, pageSize } from "./paging.ts";

type Binding = z.output<typeof ProxyBinding>;

const text = absentIfNull(wellFormedText("a string"));
const flag = { schema: z.string(), description: "Whatever its value: only those" };

const listing = {
  path: "/api/v2/aliases",
  scope: "alias:read",
  query: {
    ...paged,
    enabled: flag,
    disabled: flag,
    pinned: flag,
    query: { schema: z.string(), description: "What its address, its note or its real addresses hold" },
  },
  responses: { 200: z.object({ aliases: z.array(Alias) }).meta({ id: "SimpleLoginAliases" }) },
} as const;

const listAliases = simpleLogin({
  ...listing,
  name: "listAliases",
  summary: "List the proxy addresses, newest first",
  method: "GET",
  handle: (call) => list(call, call.query.get("query") ?? ""),
});

const searchAliases = simpleLogin({
  ...listing,
  name: "searchAliases",
  summary: "The same, with what is searched for in the body",
  method: "POST",
  body: z.object({ query: text }),
  handle: (call) => list(call, call.body.query ?? call.query.get("query") ?? ""),
});

async function list(
  { services, caller, query }: Pick<Call<"token or bearer", unknown>, "services" | "caller" | "query">,
  search: string,
) {
  const start = pageOf(query) * pageSize;
  const found: Binding[] = [];
  for await (const { bindings } of allPages((page) =>
    services.bindings.list({ ownerId: caller.accountId, search, isCounted: false, ...page }),
  )) {
    found.push(...bindings.filter((each) => isWanted(each, query)));
    if (found.length >= start + pageSize) break;
  }
  return respond(200, { aliases: await aliasesOf(services, caller, found.slice(start, start + pageSize)) });
}

/** Nothing can be pinned here. */
function isWanted(binding: Binding, query: URLSearchParams): boolean {
  if (query.has("pinned")) return false;
  return query.has("enabled") ? isAnyTargetEnabled(binding) : !(query.has("disabled") && isAnyTargetEnabled(binding));
}

const showAlias = simpleLogin({
  name: "showAlias",
  summary: "Show a proxy address",
  method: "GET",
  path: "/api/aliases/{number}",
  scope: "alias:read",
  responses: { 200: Alias },
  refusals: [404],
  async handle({ services, caller, path: { number = "" } }) {
    const [alias] = await aliasesOf(services, caller, [await bindingOf(services, caller, number)]);
    if (!alias) throw new Refusal("NotFound", { public: "There is no such alias." });
    return respond(200, alias);
  },
});

const Change = z.object({
  note: text,
  name: text,
  mailbox_id: absentIfNull(IntegerId),
  mailbox_ids: absentIfNull(z.array(IntegerId, { error: "expected an array of ids" })),
});

const changeAlias = (name: string, method: "PUT" | "PATCH") =>
  simpleLogin({
    name,
    summary: "Change the note, the name or the mailboxes",
    method,
    path: "/api/aliases/{number}",
    scope: "alias:write",
    body: Change,
    memberOf: { description: "note", displayName: "name", realAddresses: "mailbox_ids" },
    responses: { 200: z.object({ ok: z.literal(true) }) },
    refusals: [404],
    async handle({ services, caller, path: { number = "" }, body, request }) {
      const binding = await bindingOf(services, caller, number);
      const ids = body.mailbox_ids ?? (body.mailbox_id === undefined ? undefined : [body.mailbox_id]);
      const addresses = ids && (await addressesOf(services, caller, ids));
      await change(services, caller, {
        id: binding.id,
        language: languageOf(request),
        description: body.note,
        displayName: body.name,
        realAddresses: addresses && withStates(addresses, binding),
      });
      return respond(200, { ok: true });
    },
  });

/** Targets that stay are on or off as they were; new ones are on where the binding is. */
function withStates(addresses: readonly string[], binding: Binding) {
  const former = new Map(binding.realAddresses.map(({ address, isEnabled }) => [address.toLowerCase(), isEnabled]));
  return addresses.map((address) => ({
    address,
    isEnabled: former.get(address.toLowerCase()) ?? isAnyTargetEnabled(binding),
  }));
}

type BindingChange = Omit<Parameters<Services["bindings"]["update"]>[0], "ownerId" | "apiKey">;

function change({ bindings }: Services, { accountId: ownerId, key }: Caller, given: BindingChange) {
  return bindings.update({ ...given, ownerId, apiKey: key });
}

const toggleAlias = simpleLogin({
  name: "toggleAlias",
  summary: "Switch one off, or on again",
  method: "POST",
  path: "/api/aliases/{number}/toggle",
  scope: "alias:write",
  responses: { 200: z.object({ enabled: z.boolean() }) },
  refusals: [404, 422],
  async handle({ services, caller, path: { number = "" } }) {
    const { id } = await bindingOf(services, caller, number);
    const { isEnabled } = await services.bindings.toggle({ ownerId: caller.accountId, id, apiKey: caller.key });
    return respond(200, { enabled: isEnabled });
  },
});

const deleteAlias = simpleLogin({
  name: "deleteAlias",
  summary: "Remove one; its address is kept for its former owner",
  method: "DELETE",
  path: "/api/aliases/{number}",
  scope: "alias:write",
  responses: { 200: z.object({ deleted: z.literal(true) }) },
  refusals: [404],
  async handle({ services, caller, path: { number = "" } }) {
    const { id } = await bindingOf(services, caller, number);
    await services.bindings.remove({ ownerId: caller.accountId, id, apiKey: caller.key });
    return respond(200, { deleted: true });
  },
});

const Activity = z.object({
  action: z.literal("forward"),
  from: z.string(),
  to: z.string(),
  timestamp: z.int(),
  reverse_alias: z.string(),
  reverse_alias_address: z.string(),
});

const listAliasActivities = simpleLogin({
  name: "listAliasActivities",
  summary: "What came to one that is browsable, newest first",
  method: "GET",
  path: "/api/aliases/{number}/activities",
  scope: "mail:read",
  query: paged,
  responses: { 200: z.object({ activities: z.array(Activity) }).meta({ id: "SimpleLoginActivities" }) },
  refusals: [404],
  async handle({ services, caller, path: { number = "" }, query }) {
    const start = pageOf(query) * pageSize;
    const { id: bindingId, isBrowsable, proxyAddress } = await bindingOf(services, caller, number);
    if (!isBrowsable || start + pageSize > 1_000) return respond(200, { activities: [] });
    const { emails } = await services.mailbox.list({ ownerId: caller.accountId, bindingId, first: start + pageSize });
    const activities = emails.slice(start).map(({ sender, createdAt }) => ({
      action: "forward",
      from: sender,
      to: proxyAddress,
      timestamp: Math.floor(Date.parse(createdAt) / 1000),
      reverse_alias: "",
      reverse_alias_address: "",
    }));
    return respond(200, { activities });
  },
});

export const aliasEndpoints = [
  listAliases,
  searchAliases,
  showAlias,
  changeAlias("replaceAlias", "PUT"),
  changeAlias("changeAlias", "PATCH"),
  toggleAlias,
  deleteAlias,
  listAliasActivities,
] as const;
