import type { RequestHandler } from "express";
import type { forwarderContract } from "../services/forwarder/contract.ts";
import type { Client } from "../services/platform/rpc/contract.ts";

/** RFC 8461 section 3.3: where senders look for the policy of a domain, on the host mta-sts.DOMAIN. */
export const mtaStsPath = "/.well-known/mta-sts.txt";

/** Serves the MTA-STS policy of SERVICE_DOMAIN; the host and its certificate are the ingress controller's. */
export function mtaStsPolicy(forwarder: Pick<Client<typeof forwarderContract>, "dnsRecords">): RequestHandler {
  return async (_request, response) => {
    const { mtaStsPolicy } = await forwarder.dnsRecords({});
    response.type("text/plain").send(mtaStsPolicy.text);
  };
}
