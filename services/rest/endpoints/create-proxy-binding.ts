import { bindingDocument } from "../documents/proxy-binding-document.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { ProxyBindingCreation, ProxyBindingDocument } from "../schemas/proxy-bindings.ts";

/** Interface specification 4.4. An address that is the caller's already: 200 with the binding that exists. */
export const createProxyBinding = endpoint({
  name: "createProxyBinding",
  tag: "Proxy bindings",
  summary: "Create a proxy binding",
  description:
    "Every attribute may be absent. Without proxy_address the service makes one up; one that is your own already gives the binding that exists, with 200. Without real_addresses nothing is forwarded: the mail is kept and called back only. Each real address that is not proved yet is sent a link.",
  method: "POST",
  path: "/api/v1/proxy-bindings",
  credentials: "token or bearer",
  body: ProxyBindingCreation,
  answers: {
    200: ProxyBindingDocument,
    201: ProxyBindingDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    409: ErrorDocument,
    413: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ peers, caller, body }) {
    const { real_addresses, proxy_address, callback_url, is_browsable, description } = body.data.attributes;
    const outcome = await peers.bindings.create({
      ownerId: caller.accountId,
      proxyAddress: proxy_address,
      realAddresses: real_addresses,
      callbackUrl: callback_url,
      isBrowsable: is_browsable,
      description,
    });
    return answer(outcome.isCreated ? 201 : 200, bindingDocument(outcome));
  },
});
