import { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import { asciiDomain } from "../../message/address/domain-name.ts";
import type { Caller } from "../http/endpoint.ts";
import type { Services } from "../services.ts";
import { dataOf, listOf, posternEndpoint } from "./endpoint.ts";
import { declaredResource } from "./resource.ts";

const DomainRecord = z
  .object({
    name: z.string().meta({ description: "Absolute, without the final dot" }),
    type: z.enum(["TXT", "MX", "CNAME"]),
    expected: z.string().meta({ description: "What to publish; empty for a record that is there and not needed" }),
    found: z
      .string()
      .meta({ description: "What name servers answered last, several joined by a comma; empty for nothing" }),
    verdict: z.enum(["ok", "missing", "wrong", "advised", "warning", "unknown"]),
  })
  .meta({ id: "DomainRecord" });

const Domain = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: "In lower case, international names as A-labels (xn--…)" }),
    state: z.enum(["unverified", "verified", "broken", "removed"]),
    records: z.array(DomainRecord),
  })
  .meta({ id: "Domain" });

const NewDomain = z.object({ name: z.string({ error: "expected a domain" }) });

type BindingsDomain = z.input<typeof bindingsContract.procedures.domain.output>;

function shown({ id, name, state, records }: BindingsDomain): z.output<typeof Domain> {
  // What else bindings tells of a DKIM key is the graph's: programs hold records to these five members.
  const shownRecords = records.map(({ name, type, expected, found, verdict }) => ({
    name,
    type,
    expected,
    found,
    verdict,
  }));
  return { id, name, state, records: shownRecords };
}

/** By its id, or by its name, as a host is named: a final dot makes no difference. @throws Refusal NotFound */
export async function findDomain(
  { bindings }: Services,
  { accountId: ownerId }: Caller,
  id: string,
): Promise<BindingsDomain> {
  const name = asciiDomain(id.replace(/\.$/, ""));
  const found =
    name === undefined ? undefined : (await bindings.domains({ ownerId })).find((each) => each.name === name);
  return found ?? bindings.domain({ ownerId, id });
}

const domainResource = declaredResource({
  name: "Domain",
  path: "/domains",
  document: Domain,
  list: {
    summary: "List your domains",
    description: "All of them, by name, each with the DNS records that it needs and what was found of them.",
    scope: "alias:read",
    async handle({ services, caller }) {
      return (await services.bindings.domains({ ownerId: caller.accountId })).map(shown);
    },
  },
  show: {
    summary: "Show a domain, named by its id or by itself",
    scope: "alias:read",
    handle: async ({ services, caller, id }) => shown(await findDomain(services, caller, id)),
  },
  put: {
    summary: "Have a domain of your own, named by itself",
    description:
      "201 where it was added by this request, 200 where you had it. The same request again changes nothing.",
    scope: "admin",
    refusals: [422, 429],
    async handle({ services, caller, id: name }) {
      const asked = { ownerId: caller.accountId, name, apiKey: caller.key };
      const { domain, isCreated } = await services.bindings.addDomain(asked);
      return { data: shown(domain), isCreated };
    },
  },
  remove: {
    summary: "Remove a domain, named by its id or by itself",
    description:
      "Its addresses take no mail any more. Added and proved again by the same account, they are as they were.",
    scope: "admin",
    async handle({ services, caller, id }) {
      const { id: found } = await findDomain(services, caller, id);
      await services.bindings.removeDomain({ ownerId: caller.accountId, id: found, apiKey: caller.key });
    },
  },
});

const addDomain = posternEndpoint({
  name: "addDomain",
  summary: "Add a domain of your own",
  description:
    "Proves nothing yet: publish the records that it shows. They are looked at every hour, and when checkDomain asks. One that you have already is answered with 200.",
  method: "POST",
  path: "/domains",
  scope: "admin",
  body: NewDomain,
  responses: { 200: dataOf(Domain), 201: dataOf(Domain) },
  refusals: [429],
  async handle({ services, caller, body }) {
    const { domain, isCreated } = await services.bindings.addDomain({
      ownerId: caller.accountId,
      name: body.name,
      apiKey: caller.key,
    });
    return { status: isCreated ? 201 : 200, data: shown(domain) };
  },
});

const checkDomain = posternEndpoint({
  name: "checkDomain",
  summary: "Look at a domain's records now",
  description:
    "20 times an hour. What name servers do not answer for certain stays as it was. 409 where another account has proved the domain, and its record is still published.",
  method: "POST",
  path: "/domains/{id}/check",
  scope: "admin",
  responses: { 200: dataOf(Domain) },
  refusals: [404, 409, 429],
  async handle({ services, caller, path: { id = "" } }) {
    const { id: found } = await findDomain(services, caller, id);
    return { status: 200, data: shown(await services.bindings.checkDomain({ ownerId: caller.accountId, id: found })) };
  },
});

const Pattern = z
  .object({
    glob: z.string({ error: "expected a text" }).meta({
      description: "On the part before the @: * any characters, ? one, {a,b} one of several; * alone is a catch-all",
    }),
    targets: z
      .array(z.string({ error: "expected a list of addresses" }), { error: "expected a list of addresses" })
      .max(10)
      .default([])
      .meta({ description: "Verified real addresses of yours; none: the mail is kept for reading" }),
    creates: z
      .boolean({ error: "expected true or false" })
      .default(true)
      .meta({ description: "False: what it takes is refused" }),
    perHour: z
      .number({ error: "expected a number" })
      .int()
      .min(1)
      .max(100)
      .default(20)
      .meta({ description: "New addresses of the domain within an hour at most" }),
  })
  .meta({ id: "Pattern" });

const NewPatterns = z.object({
  patterns: z.array(Pattern, { error: "expected a list of patterns" }).max(50),
});

const listPatterns = posternEndpoint({
  name: "listPatterns",
  summary: "List a domain's patterns",
  description: "What takes mail to addresses without a binding: the first that matches.",
  method: "GET",
  path: "/domains/{id}/patterns",
  scope: "alias:read",
  responses: { 200: listOf(Pattern) },
  refusals: [404],
  async handle({ services, caller, path: { id = "" } }) {
    return { status: 200, data: await services.bindings.domainPatterns({ ownerId: caller.accountId, id }) };
  },
});

const setPatterns = posternEndpoint({
  name: "setPatterns",
  summary: "Set a domain's patterns",
  description: "They become exactly those given, in their order.",
  method: "PUT",
  path: "/domains/{id}/patterns",
  scope: "admin",
  body: NewPatterns,
  responses: { 200: listOf(Pattern) },
  refusals: [404],
  async handle({ services, caller, path: { id = "" }, body: { patterns } }) {
    const data = await services.bindings.setDomainPatterns({
      ownerId: caller.accountId,
      id,
      patterns,
      apiKey: caller.key,
    });
    return { status: 200, data };
  },
});

export const domainEndpoints = [...domainResource, addDomain, checkDomain, listPatterns, setPatterns];
