import { z } from "zod";
import { wellFormedText } from "../../http/schemas.ts";
import { dashboardEndpoint } from "./dashboard-endpoint.ts";

const UsedOn = z.object({ proxy_binding_id: z.string(), list: z.array(z.string()) });

const listUsedOn = dashboardEndpoint({
  name: "listUsedOn",
  summary: "List the web sites that addresses were given to, as programs noted them",
  method: "GET",
  path: "/gapi/used-on",
  scope: "alias:read",
  shows: z.array(UsedOn),
  async handle({ services, caller }) {
    const noted = await services.bindings.websites({ ownerId: caller.accountId });
    return noted.map(({ bindingId, sites }) => ({ proxy_binding_id: bindingId, list: sites }));
  },
});

const updateUsedOn = dashboardEndpoint({
  name: "updateUsedOn",
  summary: "Note the web sites that one address was given to: the whole list",
  method: "PATCH",
  path: "/gapi/used-on",
  scope: "alias:write",
  body: z.object(
    {
      proxy_binding_id: wellFormedText("a string"),
      list: z.array(wellFormedText("a string"), { error: "expected an array" }),
    },
    { error: "expected an object" },
  ),
  memberOf: { sites: "list" },
  shows: UsedOn,
  refusals: [404],
  async handle({ services, caller, body: { proxy_binding_id, list } }) {
    const note = { bindingId: proxy_binding_id, sites: list, apiKey: caller.key };
    await services.bindings.setWebsites({ ownerId: caller.accountId, ...note });
    return { proxy_binding_id, list: [...new Set(list)] };
  },
});

export const websiteEndpoints = [listUsedOn, updateUsedOn] as const;
