import { join } from "node:path";
import { standardTimeouts } from "../smtp/session.ts";
import { CaptureTransport } from "./capture.ts";
import { MxTransport } from "./mx.ts";
import { RelayTransport } from "./relay.ts";
import type { Transport } from "./transport.ts";

export interface OutboundOptions {
  /** See OUTBOUND. */
  outbound: string;
  dataDir: string;
  serviceDomain: string;
  maxSessions: number;
  mxPort: number;
  dnsServers: readonly string[];
  isDaneOn: boolean;
}

/** The transport that OUTBOUND names. */
export function createTransport(options: OutboundOptions): Transport {
  const { outbound, dataDir, serviceDomain: clientName, maxSessions, mxPort: port, dnsServers, isDaneOn } = options;
  const timeouts = standardTimeouts;
  if (outbound === "capture") return new CaptureTransport(join(dataDir, "outbound"));
  if (outbound === "mx") return new MxTransport({ port, clientName, dnsServers, isDaneOn, maxSessions, timeouts });
  return new RelayTransport({ url: outbound, clientName, maxSessions, timeouts });
}
