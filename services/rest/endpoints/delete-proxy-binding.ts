import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";

/** Interface decisions, "Proxy bindings". */
export const deleteProxyBinding = endpoint({
  name: "deleteProxyBinding",
  tag: "Proxy bindings",
  summary: "Remove a proxy binding; its address is kept for its former owner",
  description:
    "Mail to its address is refused from then on. The address is given to nobody else; created again by its former owner, it is a new binding.",
  method: "DELETE",
  path: "/api/v1/proxy-bindings/{id}",
  credentials: "token or bearer",
  answers: { 204: undefined, 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ peers, caller, path: { id = "" } }) {
    await peers.bindings.remove({ ownerId: caller.accountId, id });
    return answer(204);
  },
});
