import type { Readable } from "node:stream";
import libmime from "libmime";
import type { ARCResult, DKIMVerifyResult, DNSResolver } from "mailauth";
import { arc } from "mailauth/lib/arc/index.js";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { formatAuthservId } from "mailauth/lib/tools.js";
import type { SenderIdentity, SpfEvaluation, SpfResults } from "./spf-results.ts";

/** What SPF, DKIM and ARC said about a message. */
export interface VerificationResult {
  readonly dkim: DKIMVerifyResult;
  readonly spf: SpfEvaluation;
  readonly arc: ARCResult;
  /** The value of an Authentication-Results field (RFC 8601), folded. */
  readonly results: string;
}

interface VerifyOptions {
  readonly resolver: DNSResolver;
  readonly spf: SpfResults;
  /** The authserv-id (RFC 8601 section 2.5). */
  readonly serviceDomain: string;
}

/** Characters of a line of Authentication-Results, at which it is folded. */
const lineCharacters = 160;

/**
 * Verifies a message by mailauth's parts, without its leniencies from RFC 6376, 8301 and 8617. `authenticate` of mailauth would do the same, and
 * load what evaluates BIMI besides: a quarter of all that ingress loads.
 * @param message undefined where no signature counts: SPF alone says something then
 */
export async function verifyMessage(
  message: Readable | Buffer | undefined,
  sender: SenderIdentity,
  { resolver, spf, serviceDomain }: VerifyOptions,
): Promise<VerificationResult> {
  const common = { resolver, strict: true };
  const dkim = await (message ? dkimVerify(message, { ...common, sender: sender.envelopeSender }) : resultOfUnsigned());
  const senderResult = await spf.evaluate(sender, resolver, serviceDomain);
  const chain = await arc(dkim.arc, { ...common, ip: sender.clientAddress });
  const infos = [...dkim.results, senderResult, chain].flatMap(({ info }) => (info ? [info] : []));
  const entries = infos.map((info) => libmime.foldLines(info, lineCharacters));
  const results = [formatAuthservId(serviceDomain, true), ...entries].join(";\r\n ");
  return { dkim, spf: senderResult, arc: chain, results };
}

let unsigned: Promise<DKIMVerifyResult> | undefined;

/** The same for all messages without signatures, so that none of them is taken through the verifier's streams and parsers. */
function resultOfUnsigned(): Promise<DKIMVerifyResult> {
  unsigned ??= dkimVerify(Buffer.from("\r\n"), { strict: true });
  return unsigned;
}
