import { z } from "zod";
import { Refusal } from "../../../platform/errors.ts";
import { dashboardEndpoint } from "./dashboard-endpoint.ts";

export const lookUpReverseAddress = dashboardEndpoint({
  name: "lookUpReverseAddress",
  summary: "Show which proxy address a reverse address belongs to, and what to write to it from",
  method: "GET",
  path: "/gapi/proxy-binding/reverse-lookup",
  scope: "alias:read",
  query: { reverseAddress: { schema: z.string(), description: "The reverse address of a contact" } },
  shows: z.object({ proxy_address: z.string(), send_from: z.string().nullable() }),
  refusals: [404, 422],
  async handle({ services, caller, query }) {
    // Every reverse address has a plus sign, which a query may hold as it stands (RFC 3986 section 3.4); forms mean a blank by it.
    const address = query.get("reverseAddress")?.replaceAll(" ", "+");
    if (!address) throw new Refusal("ValidationFailed", { public: "reverseAddress: expected a reverse address." });
    const [found] = await services.bindings.resolve({ addresses: [address], countsRefusals: false });
    if (found?.outcome !== "reverse" || found.reverse.ownerId !== caller.accountId)
      throw new Refusal("NotFound", { public: "There is no such reverse address." });
    const { realAddresses, proxyAddress } = await services.bindings.get({
      ownerId: caller.accountId,
      id: found.reverse.bindingId,
    });
    const sender = realAddresses.find((each) => each.isEnabled && each.isVerified);
    return { proxy_address: proxyAddress, send_from: sender?.address ?? null };
  },
});
