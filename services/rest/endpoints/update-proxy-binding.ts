import { Refusal } from "../../platform/errors.ts";
import { bindingDocument } from "../documents/proxy-binding-document.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { ProxyBindingChange, ProxyBindingDocument } from "../schemas/proxy-bindings.ts";

/** Interface specification 4.5. What is absent stays as it is. */
export const updateProxyBinding = endpoint({
  name: "updateProxyBinding",
  tag: "Proxy bindings",
  summary: "Change a proxy binding",
  description:
    "What is absent stays as it is. real_addresses is the whole new set: an address left out is removed, one that stays keeps its verification, a new one is sent a link.",
  method: "PATCH",
  path: "/api/v1/proxy-bindings/{id}",
  credentials: "token or bearer",
  body: ProxyBindingChange,
  answers: {
    200: ProxyBindingDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    404: ErrorDocument,
    413: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ peers, caller, path, body }) {
    const { id = "" } = path;
    if (body.data.id !== undefined && body.data.id !== id)
      throw new Refusal("ValidationFailed", { public: "data.id: must be the id in the path." });
    const { real_addresses, proxy_address, description, callback_url, is_browsable } = body.data.attributes;
    const outcome = await peers.bindings.update({
      ownerId: caller.accountId,
      id,
      realAddresses: real_addresses,
      proxyAddress: proxy_address,
      description,
      callbackUrl: callback_url,
      isBrowsable: is_browsable,
    });
    return answer(200, bindingDocument(outcome));
  },
});
