import { z } from "zod";
import { bindingListDocument } from "../documents/proxy-binding-document.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { validate } from "../http/validate.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { ProxyBindingListDocument } from "../schemas/proxy-bindings.ts";

const Sort = z.enum(["asc", "desc"], { error: "expected asc or desc" }).default("desc");

/** Interface specification 4.3. All of them; newest first unless asked otherwise. */
export const listProxyBindings = endpoint({
  name: "listProxyBindings",
  tag: "Proxy bindings",
  summary: "List the proxy bindings",
  description: "All of them, newest first. availableProxyBindings is the limit in all, not what is left.",
  method: "GET",
  path: "/api/v1/proxy-bindings",
  credentials: "token or bearer",
  query: { sort: { schema: Sort, description: "By creation: asc oldest first, desc newest first" } },
  answers: {
    200: ProxyBindingListDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ peers, caller, query }) {
    const { sort } = validate(z.object({ sort: Sort }), { sort: query.get("sort")?.toLowerCase() });
    return answer(200, bindingListDocument(await peers.bindings.list({ ownerId: caller.accountId, sort })));
  },
});
