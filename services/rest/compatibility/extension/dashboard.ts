import { z } from "zod";
import { Refusal } from "../../../platform/errors.ts";
import type { Scope } from "../../../platform/security/scopes.ts";
import { type Call, type Endpoint, endpoint, respond } from "../../http/endpoint.ts";
import { ErrorDocument, Timestamp, wellFormedText } from "../../http/schemas.ts";
import type { Services } from "../../services.ts";

interface Declaration<B extends z.ZodType | undefined>
  extends Pick<Endpoint, "name" | "summary" | "query" | "path" | "method"> {
  scope: Scope;
  body?: B;
  shows: z.ZodType;
  refusals?: readonly (404 | 422)[];
  handle(call: Call<"token or bearer", B extends z.ZodType ? z.output<B> : undefined>): Promise<unknown>;
}

/** An endpoint of /gapi, the API of the dashboard: plain JSON both ways. */
function dashboardEndpoint<B extends z.ZodType | undefined = undefined>({
  shows,
  refusals = [],
  handle,
  ...given
}: Declaration<B>): Endpoint {
  const statuses = [401, 403, 503, ...(given.body ? [400, 413, 415, 422] : []), ...refusals];
  return endpoint<"token or bearer", B>({
    ...given,
    tag: "Other programs",
    credentials: "token or bearer",
    members: "plain",
    responses: { 200: shows, ...Object.fromEntries(statuses.map((status) => [status, ErrorDocument])) },
    handle: async (call) => respond(200, await handle(call)),
  });
}

type OwnDomain = Awaited<ReturnType<Services["bindings"]["domain"]>>;

const isVerified = ({ state }: OwnDomain) => state === "verified" || state === "broken";

const listAvailableDomains = dashboardEndpoint({
  name: "listAvailableDomains",
  summary: "List the domains that addresses can be made on: the service's, and one's verified ones",
  method: "GET",
  path: "/gapi/available-domains",
  scope: "alias:read",
  shows: z.array(
    z.object({ domain: z.string(), display_name: z.string(), isPremium: z.literal(false), isShared: z.boolean() }),
  ),
  async handle({ services, caller }) {
    const own = (await services.bindings.domains({ ownerId: caller.accountId })).filter(isVerified);
    const all = [
      { name: services.serviceDomain, isShared: true },
      ...own.map(({ name }) => ({ name, isShared: false })),
    ];
    return all.map(({ name, isShared }) => ({ domain: name, display_name: name, isPremium: false, isShared }));
  },
});

const CustomDomain = z.object({
  id: z.string(),
  domain: z.string(),
  display_name: z.string(),
  status: z.union([z.literal(0), z.literal(1)]).meta({ description: "1 verified, 0 not" }),
  isShared: z.literal(false),
  isPremium: z.literal(false),
  dkimKey: z.string(),
  verification_hash: z.string(),
  spf: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const listCustomDomains = dashboardEndpoint({
  name: "listCustomDomains",
  summary: "List one's own domains, with the records that they need",
  method: "GET",
  path: "/gapi/custom-domains",
  scope: "alias:read",
  query: { ignoreProcessing: { schema: z.string(), description: "1: those that are not verified as well" } },
  shows: z.array(CustomDomain),
  async handle({ services, caller, query }) {
    const own = await services.bindings.domains({ ownerId: caller.accountId });
    return own.filter((domain) => isVerified(domain) || query.get("ignoreProcessing") === "1").map(customDomain);
  },
});

function customDomain(domain: OwnDomain): z.output<typeof CustomDomain> {
  const { id, name, records, checkedAt } = domain;
  const expected = (isWanted: (record: OwnDomain["records"][number]) => boolean) =>
    records.find(isWanted)?.expected ?? "";
  const createdAt = madeAt(id);
  return {
    id,
    domain: name,
    display_name: name,
    status: isVerified(domain) ? 1 : 0,
    isShared: false,
    isPremium: false,
    dkimKey: expected((record) => record.name.includes("._domainkey.")),
    verification_hash: expected((record) => record.name.startsWith("_postern.")),
    spf: expected(({ expected: text }) => text.startsWith("v=spf1")),
    createdAt: shortened(createdAt),
    updatedAt: shortened(checkedAt ?? createdAt),
  };
}

/** An id is a UUID of version 7, which begins with its time (RFC 9562 section 5.7). */
function madeAt(id: string): string {
  return new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toISOString();
}

function shortened(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

const listRealEmails = dashboardEndpoint({
  name: "listRealEmails",
  summary: "List the real addresses of the account",
  method: "GET",
  path: "/gapi/real-emails",
  scope: "alias:read",
  shows: z.object({
    data: z.array(z.object({ email: z.string(), is_verified: z.boolean(), is_default: z.boolean() })),
  }),
  async handle({ services, caller }) {
    const targets = await services.bindings.targets({ ownerId: caller.accountId });
    return {
      data: targets.map(({ address, isVerified: is_verified, isOwn }) => ({
        email: address,
        is_verified,
        is_default: isOwn,
      })),
    };
  },
});

const listVerifiedEmails = dashboardEndpoint({
  name: "listVerifiedEmails",
  summary: "List the verified real addresses of the account",
  method: "GET",
  path: "/gapi/verified-emails-list",
  scope: "alias:read",
  shows: z.object({ List: z.array(z.string()) }),
  async handle({ services, caller }) {
    const targets = await services.bindings.targets({ ownerId: caller.accountId });
    return { List: targets.filter((target) => target.isVerified).map(({ address }) => address) };
  },
});

const Setting = z.object({ key: wellFormedText("a string"), value: wellFormedText("a string") });

const listSettings = dashboardEndpoint({
  name: "listSettings",
  summary: "Show what programs keep with the account",
  method: "GET",
  path: "/gapi/settings",
  scope: "admin",
  shows: z.array(Setting),
  handle: ({ services, caller }) => services.auth.settings({ accountId: caller.accountId }),
});

const updateSettings = dashboardEndpoint({
  name: "updateSettings",
  summary: "Add or change some of it; 100 keys of 1,000 bytes at most",
  method: "PATCH",
  path: "/gapi/settings/update",
  scope: "admin",
  body: z.object(
    { settings: z.array(Setting, { error: "expected an array" }).max(1_000) },
    { error: "expected an object" },
  ),
  shows: z.array(Setting),
  handle: ({ services, caller, body }) =>
    services.auth.changeSettings({ accountId: caller.accountId, settings: body.settings }),
});

const UsedOn = z.object({ proxy_binding_id: z.string(), list: z.array(z.string()) });

const listUsedOn = dashboardEndpoint({
  name: "listUsedOn",
  summary: "List the web sites that addresses were given to, as programs noted them",
  method: "GET",
  path: "/gapi/used-on",
  scope: "alias:read",
  shows: z.array(UsedOn),
  async handle({ services, caller }) {
    const noted = await services.bindings.websites({ ownerId: caller.accountId });
    return noted.map(({ bindingId, sites }) => ({ proxy_binding_id: bindingId, list: sites }));
  },
});

const updateUsedOn = dashboardEndpoint({
  name: "updateUsedOn",
  summary: "Note the web sites that one address was given to: the whole list",
  method: "PATCH",
  path: "/gapi/used-on",
  scope: "alias:write",
  body: z.object(
    {
      proxy_binding_id: wellFormedText("a string"),
      list: z.array(wellFormedText("a string"), { error: "expected an array" }),
    },
    { error: "expected an object" },
  ),
  shows: UsedOn,
  refusals: [404],
  async handle({ services, caller, body: { proxy_binding_id, list } }) {
    const note = { bindingId: proxy_binding_id, sites: list, apiKey: caller.key };
    await services.bindings.setWebsites({ ownerId: caller.accountId, ...note });
    return { proxy_binding_id, list: [...new Set(list)] };
  },
});

const lookUpReverseAddress = dashboardEndpoint({
  name: "lookUpReverseAddress",
  summary: "Show which proxy address a reverse address belongs to, and what to write to it from",
  method: "GET",
  path: "/gapi/proxy-binding/reverse-lookup",
  scope: "alias:read",
  query: { reverseAddress: { schema: z.string(), description: "The reverse address of a contact" } },
  shows: z.object({ proxy_address: z.string(), send_from: z.string().nullable() }),
  refusals: [404, 422],
  async handle({ services, caller, query }) {
    const address = query.get("reverseAddress");
    if (!address) throw new Refusal("ValidationFailed", { public: "reverseAddress: expected a reverse address." });
    const [found] = await services.bindings.resolve({ addresses: [address], countsRefusals: false });
    if (found?.outcome !== "reverse" || found.reverse.ownerId !== caller.accountId)
      throw new Refusal("NotFound", { public: "There is no such reverse address." });
    const { realAddresses, proxyAddress } = await services.bindings.get({
      ownerId: caller.accountId,
      id: found.reverse.bindingId,
    });
    const sender = realAddresses.find((each) => each.isEnabled && each.isVerified);
    return { proxy_address: proxyAddress, send_from: sender?.address ?? null };
  },
});

export const dashboardEndpoints = [
  listAvailableDomains,
  listCustomDomains,
  listRealEmails,
  listVerifiedEmails,
  listSettings,
  updateSettings,
  listUsedOn,
  updateUsedOn,
  lookUpReverseAddress,
] as const;
