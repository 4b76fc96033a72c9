import type { ingressContract } from "../../ingress/contract.ts";
import { readBeginning } from "../../platform/buffers.ts";
import type { StreamClient } from "../../platform/rpc/contract.ts";

/** A report comes before the message that it is about, of which no more is read. */
const readLimitBytes = 512 * 1024;

/** The beginning of a message that may be a report. @throws Outage, or Refusal NotFound */
export async function readReportBeginning(
  ingress: StreamClient<typeof ingressContract>,
  rawId: string,
): Promise<Buffer> {
  return readBeginning(await ingress.rawMessage({ rawId }), readLimitBytes);
}
