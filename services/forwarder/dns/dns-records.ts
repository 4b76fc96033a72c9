import { createHash } from "node:crypto";
import { dayS } from "../../platform/durations.ts";
import type { PublishedKey } from "../signing/key-pair.ts";

/** A record to publish: an absolute name without the final dot, and its data in the words of a zone file. */
interface DnsRecord {
  name: string;
  type: string;
  value: string;
}

export interface MailDomain {
  domain: string;
  /** The hosts that take mail for it, the preferred one first. */
  hosts: readonly string[];
  /** SPF mechanisms for other hosts that send for the domain: ip4:192.0.2.0/24, include:relay.example … */
  senders: readonly string[];
  keys: readonly PublishedKey[];
  /** Keys of accounts' own domains, which publish a CNAME to their records here. */
  delegatedKeys: readonly (PublishedKey & { domainId: string })[];
}

const keyTypes = { "rsa-sha256": "rsa", "ed25519-sha256": "ed25519" } as const;
/** RFC 8461 section 3.2 advises weeks: a sender applies the cached policy for that long, even if DNS changes. */
const policyLifetimeS = 14 * dayS;

/** All that SERVICE_DOMAIN has to say about its mail. */
export function dnsRecords(mail: MailDomain): DnsRecord[] {
  const { domain, hosts, senders, keys, delegatedKeys } = mail;
  const reports = `mailto:postmaster@${domain}`;
  return [
    ...hosts.map((host, at) => ({ name: domain, type: "MX", value: `${(at + 1) * 10} ${host}.` })),
    // RFC 7208: reverse paths are at the domain.
    txt(domain, ["v=spf1", "mx", ...senders, "-all"].join(" ")),
    ...keys.map((key) => txt(`${key.selector}._domainkey.${domain}`, keyRecordData(key))),
    ...delegatedKeys.map((key) => txt(`${key.selector}.${key.domainId}._dkim.${domain}`, keyRecordData(key))),
    // RFC 7489: who writes from the domain without being us is to be put aside; relaxed, since reverse paths are ours too.
    txt(`_dmarc.${domain}`, `v=DMARC1; p=quarantine; rua=${reports}`),
    // RFC 8461 section 3.1: the id changes with the policy, and only with it.
    txt(`_mta-sts.${domain}`, `v=STSv1; id=${policyId(mail)}`),
    // RFC 8460 section 3.
    txt(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=${reports}`),
  ];
}

/** The record of a key (RFC 6376 section 3.6.1). */
export function keyRecordData({ algorithm, publicKey }: Pick<PublishedKey, "algorithm" | "publicKey">): string {
  return `v=DKIM1; k=${keyTypes[algorithm]}; p=${publicKey}`;
}

/** What https://mta-sts.<domain>/.well-known/mta-sts.txt has to answer (RFC 8461 section 3.2). */
export function mtaStsPolicy({ hosts }: Pick<MailDomain, "hosts">): string {
  const lines = [
    "version: STSv1",
    "mode: enforce",
    ...hosts.map((host) => `mx: ${host}`),
    `max_age: ${policyLifetimeS}`,
  ];
  return `${lines.join("\r\n")}\r\n`;
}

function policyId(mail: MailDomain): string {
  return createHash("sha256").update(mtaStsPolicy(mail)).digest("hex").slice(0, 32);
}

function txt(name: string, value: string): DnsRecord {
  return { name, type: "TXT", value };
}
