import { z } from "zod";
import { timeOfId } from "../../../platform/ids.ts";
import { Timestamp, timestamp } from "../../http/schemas.ts";
import type { Services } from "../../services.ts";
import { dashboardEndpoint } from "./dashboard-endpoint.ts";

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
  const createdAt = timeOfId(id).toISOString();
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
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(checkedAt ?? createdAt),
  };
}

export const domainEndpoints = [listAvailableDomains, listCustomDomains] as const;
