import { z } from "zod";
import { dashboardEndpoint } from "./dashboard-endpoint.ts";

const listRealEmails = dashboardEndpoint({
  name: "listRealEmails",
  summary: "List the real addresses of the account",
  method: "GET",
  path: "/gapi/real-emails",
  scope: "alias:read",
  shows: z.object({
    data: z.array(z.object({ email: z.string(), is_verified: z.boolean(), is_default: z.boolean() })),
  }),
  async handle({ services, caller }) {
    const targets = await services.bindings.targets({ ownerId: caller.accountId });
    return {
      data: targets.map(({ address, isVerified: is_verified, isOwn }) => ({
        email: address,
        is_verified,
        is_default: isOwn,
      })),
    };
  },
});

const listVerifiedEmails = dashboardEndpoint({
  name: "listVerifiedEmails",
  summary: "List the verified real addresses of the account",
  method: "GET",
  path: "/gapi/verified-emails-list",
  scope: "alias:read",
  shows: z.object({ List: z.array(z.string()) }),
  async handle({ services, caller }) {
    const targets = await services.bindings.targets({ ownerId: caller.accountId });
    return { List: targets.filter((target) => target.isVerified).map(({ address }) => address) };
  },
});

export const realAddressEndpoints = [listRealEmails, listVerifiedEmails] as const;
