import type { ingressContract } from "../../ingress/contract.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";

/** A report comes before the message that it is about, of which no more is read. */
const readLimitBytes = 512 * 1024;

/** The beginning of a message. @throws Outage, or Refusal NotFound */
export async function readBeginning(ingress: StreamClient<typeof ingressContract>, rawId: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of await ingress.rawMessage({ rawId })) {
    chunks.push(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes >= readLimitBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, readLimitBytes);
}
