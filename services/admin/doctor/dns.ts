import { Resolver } from "node:dns/promises";
import { forwarderContract } from "../../forwarder/contract.ts";
import { loadConfig } from "../../platform/config.ts";
import { errorCode } from "../../platform/errors.ts";
import { hostConfig } from "../../platform/runtime/host.ts";
import type { Installation } from "../installation.ts";
import { type CheckResult, check } from "./check.ts";
import { isPublicDomain } from "./public-domain.ts";

interface DnsRecord {
  name: string;
  type: string;
  value: string;
}

const timeoutMs = 3_000;
const tries = 2;
/** The name exists without such a record, or not at all. */
const absences = new Set(["ENODATA", "ENOTFOUND"]);

/** Whether what "dns" prints is published. */
export async function examineDns(installation: Installation): Promise<CheckResult[]> {
  const { SERVICE_DOMAIN: domain } = installation.settings();
  if (!isPublicDomain(domain))
    return [{ check: "DNS", isGood: true, detail: `nothing to publish: ${domain} is a reserved name` }];
  const results: CheckResult[] = [];
  const looked = await check("DNS", async () => {
    const resolver = resolverOf(installation);
    const { records } = await (await installation.service(forwarderContract)).dnsRecords({});
    for (const record of records)
      results.push(await check(`DNS: ${record.type} of ${record.name}`, () => aboutRecord(resolver, record)));
    return "looked up";
  });
  return looked.isGood ? results : [looked];
}

function resolverOf({ services, environment }: Installation): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const servers = loadConfig(hostConfig(services), environment)["DNS_SERVERS"] as readonly string[];
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

async function aboutRecord(resolver: Resolver, wanted: DnsRecord): Promise<string> {
  const found = await published(resolver, wanted);
  if (found.includes(wanted.value)) return "published";
  // A key and an exchanger are right or wrong; a policy is its owner's to word.
  const isPolicy = wanted.type === "TXT" && !wanted.value.startsWith("v=DKIM1");
  const version = wanted.value.split(/[ ;]/, 1)[0] ?? "";
  const own = isPolicy ? found.find((value) => value.startsWith(version)) : undefined;
  if (own !== undefined) return `published in words of your own: ${own}`;
  throw new Error(`not published: ${wanted.value}`);
}

/** The data of such records, as "dns" words it. @throws Error when no name server answers */
async function published(resolver: Resolver, { name, type }: DnsRecord): Promise<string[]> {
  try {
    if (type === "TXT") return (await resolver.resolveTxt(name)).map((strings) => strings.join(""));
    const exchangers = await resolver.resolveMx(name);
    return exchangers.map(({ priority, exchange }) => `${priority} ${exchange}.`);
  } catch (error) {
    const code = errorCode(error);
    if (absences.has(code)) return [];
    throw new Error(`no name server answers: ${code}`, { cause: error });
  }
}
