import { DnsServer, type Zone } from "../../../test/support/peers/dns-server.ts";
import { rangesOf } from "../../platform/net/special-ranges.ts";
import { standardTimeouts } from "../smtp/session.ts";
import { MxTransport } from "../transports/mx.ts";

interface Given {
  /** Of every exchanger. */
  port: number;
  zone: Zone;
  maxSessions?: number;
  /** Special addresses that are connected to. */
  allowed?: readonly string[];
}

/** A transport to the exchangers of a zone, and the name server that has it. */
export async function mxTransport({ port, zone, maxSessions = 4, allowed = ["127.0.0.0/8"] }: Given) {
  const names = await DnsServer.start(zone);
  const mx = new MxTransport({
    port,
    clientName: "postern.example",
    ownHosts: ["postern.example", "mx2.postern.example"],
    dnsServers: [names.address],
    isDaneOn: true,
    allowed: rangesOf(allowed),
    maxPerOwner: 25,
    maxPerAddress: 20,
    maxSessions,
    timeouts: standardTimeouts,
  });
  return { mx, names };
}
