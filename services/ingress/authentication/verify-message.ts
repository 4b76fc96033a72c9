import { isIP } from "node:net";
import type { Readable } from "node:stream";
import libmime from "libmime";
import type { ARCResult, DKIMVerifyResult, DNSResolver, SPFResult } from "mailauth";
import { arc } from "mailauth/lib/arc/index.js";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { spf } from "mailauth/lib/spf/index.js";
import { formatAuthservId } from "mailauth/lib/tools.js";

/** What SPF is evaluated for. */
export interface SenderIdentity {
  readonly clientAddress: string;
  readonly clientName: string;
  readonly envelopeSender: string;
}

/** What SPF, DKIM and ARC said about a message. */
export interface VerificationResult {
  readonly dkim: DKIMVerifyResult;
  readonly spf: SPFResult;
  readonly arc: ARCResult;
  /** The value of an Authentication-Results field (RFC 8601), folded. */
  readonly results: string;
}

/** Characters of a line of Authentication-Results, at which it is folded. */
const lineCharacters = 160;

/**
 * Verifies a message by mailauth's parts, without its leniencies from RFC 6376, 8301 and 8617. `authenticate` of mailauth would do the same, and
 * load what evaluates BIMI besides: a quarter of all that ingress loads.
 * @param serviceDomain the authserv-id (RFC 8601 section 2.5)
 */
export async function verifyMessage(
  message: Readable | Buffer,
  { clientAddress: ip, clientName, envelopeSender: sender }: SenderIdentity,
  resolver: DNSResolver,
  serviceDomain: string,
): Promise<VerificationResult> {
  const common = { resolver, strict: true };
  const dkim = await dkimVerify(message, { ...common, sender });
  const name = clientName || ip;
  const helo = isIP(name) ? `[${name}]` : name;
  const senderResult = await spf({ ...common, ip, helo, sender, mta: serviceDomain });
  const chain = await arc(dkim.arc, { ...common, ip });
  const infos = [...dkim.results, senderResult, chain].flatMap(({ info }) => (info ? [info] : []));
  const entries = infos.map((info) => libmime.foldLines(info, lineCharacters));
  const results = [formatAuthservId(serviceDomain, true), ...entries].join(";\r\n ");
  return { dkim, spf: senderResult, arc: chain, results };
}
