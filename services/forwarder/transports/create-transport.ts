import { join } from "node:path";
import { standardTimeouts } from "../smtp/session.ts";
import { allowedRanges } from "./address-policy.ts";
import { CaptureTransport } from "./capture.ts";
import { MxTransport } from "./mx.ts";
import { RelayTransport } from "./relay.ts";
import type { Transport } from "./transport.ts";

interface TransportOptions {
  /** See OUTBOUND. */
  outbound: string;
  dataDir: string;
  serviceDomain: string;
  /** See MAIL_HOSTS. */
  ownHosts: readonly string[];
  maxSessions: number;
  maxPerOwner: number;
  /** Seconds for each reply before RCPT. */
  handshakeS: number;
  /** See OUTBOUND_ALLOW_CIDRS. */
  allowedCidrs: readonly string[];
  mxPort: number;
  dnsServers: readonly string[];
  isDaneOn: boolean;
}

/** The transport that OUTBOUND names. */
export function createTransport(options: TransportOptions): Transport {
  const { outbound, dataDir, serviceDomain: clientName, maxSessions, maxPerOwner, dnsServers } = options;
  const handshakeMs = options.handshakeS * 1_000;
  const timeouts = { ...standardTimeouts, connectMs: Math.min(standardTimeouts.connectMs, handshakeMs), handshakeMs };
  if (outbound === "capture") return new CaptureTransport(join(dataDir, "outbound"));
  if (outbound !== "mx") return new RelayTransport({ url: outbound, clientName, maxSessions, timeouts });
  const allowed = allowedRanges(options.allowedCidrs, dnsServers);
  const { mxPort: port, isDaneOn, ownHosts } = options;
  const limits = { maxSessions, maxPerAddress: maxSessions, maxPerOwner };
  return new MxTransport({ port, clientName, ownHosts, dnsServers, isDaneOn, allowed, timeouts, ...limits });
}
