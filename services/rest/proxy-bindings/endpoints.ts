import { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import { languageOf } from "../../platform/http/language-of.ts";
import { endpoint, respond } from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";
import { allPages, arrayDocument } from "../http/send.ts";
import { validate } from "../http/validate.ts";
import { bindingDocument, listedBinding, listItems, listMeta, settingsOf } from "./document.ts";
import {
  ListedProxyBindingDocument,
  ProxyBindingChange,
  ProxyBindingCreation,
  ProxyBindingDocument,
  ProxyBindingListDocument,
} from "./schema.ts";

const Sort = z.enum(["asc", "desc"], { error: "expected asc or desc" }).default("desc");
const ListQuery = z.object({ sort: Sort });

/** All of them; newest first unless asked otherwise. */
const listProxyBindings = endpoint({
  name: "listProxyBindings",
  tag: "Proxy bindings",
  summary: "List the proxy bindings",
  description: "All of them, newest first. availableProxyBindings is the limit in all, not what is left.",
  method: "GET",
  path: "/api/v1/proxy-bindings",
  credentials: "token or bearer",
  scope: "alias:read",
  query: { sort: { schema: Sort, description: "By creation: asc oldest first, desc newest first" } },
  responses: {
    200: ProxyBindingListDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, caller, query }) {
    const { sort } = validate(ListQuery, { sort: query.get("sort")?.toLowerCase() });
    const pages = allPages((page) => services.bindings.list({ ownerId: caller.accountId, sort, ...page }));
    return { status: 200, json: arrayDocument("data", pages, { head: listMeta, items: listItems }) };
  },
});

/** An address that is the caller's already: 200 with the binding that exists. */
const createProxyBinding = endpoint({
  name: "createProxyBinding",
  tag: "Proxy bindings",
  summary: "Create a proxy binding",
  description:
    "Every attribute may be absent. Without proxy_address the service makes one up; one that is your own already gives the binding that exists, with 200. Without real_addresses nothing is forwarded: the mail is kept and called back only. Each real address that is not proved yet is sent a link.",
  method: "POST",
  path: "/api/v1/proxy-bindings",
  credentials: "token or bearer",
  scope: "alias:create",
  body: ProxyBindingCreation,
  responses: {
    200: ProxyBindingDocument,
    201: ProxyBindingDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    409: ErrorDocument,
    413: ErrorDocument,
    415: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, caller, body, request }) {
    const { real_addresses, proxy_address, ...settings } = body.data.attributes;
    const outcome = await services.bindings.create({
      ownerId: caller.accountId,
      apiKey: caller.key,
      language: languageOf(request),
      proxyAddress: proxy_address,
      realAddresses: real_addresses,
      ...settingsOf(settings),
    });
    return respond(outcome.isCreated ? 201 : 200, bindingDocument(outcome));
  },
});

/** One of the list, alike in all it shows. */
const showProxyBinding = endpoint({
  name: "showProxyBinding",
  tag: "Proxy bindings",
  summary: "Show a proxy binding",
  description: "As the list shows it.",
  method: "GET",
  path: "/api/v1/proxy-bindings/{id}",
  credentials: "token or bearer",
  scope: "alias:read",
  responses: {
    200: ListedProxyBindingDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    404: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, caller, path: { id = "" } }) {
    return respond(200, { data: listedBinding(await services.bindings.get({ ownerId: caller.accountId, id })) });
  },
});

/** What is absent stays as it is. */
const updateProxyBinding = endpoint({
  name: "updateProxyBinding",
  tag: "Proxy bindings",
  summary: "Change a proxy binding",
  description:
    "What is absent stays as it is. real_addresses is the whole new set: an address left out is removed, one that stays keeps its verification, a new one is sent a link.",
  method: "PATCH",
  path: "/api/v1/proxy-bindings/{id}",
  credentials: "token or bearer",
  scope: "alias:write",
  body: ProxyBindingChange,
  memberOf: { addsCatchAll: "wildcard_auto_create" },
  responses: {
    200: ProxyBindingDocument,
    400: ErrorDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    404: ErrorDocument,
    413: ErrorDocument,
    415: ErrorDocument,
    422: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, caller, path, body, request }) {
    const { id = "" } = path;
    if (body.data.id !== undefined && body.data.id !== id)
      throw new Refusal("ValidationFailed", { public: "data.id: must be the id in the path." });
    const { real_addresses, new_real_address, proxy_address, wildcard_auto_create, ...settings } = body.data.attributes;
    const outcome = await services.bindings.update({
      ownerId: caller.accountId,
      apiKey: caller.key,
      language: languageOf(request),
      id,
      realAddresses: real_addresses,
      newRealAddress: new_real_address,
      addsCatchAll: wildcard_auto_create,
      proxyAddress: proxy_address,
      ...settingsOf(settings),
    });
    return respond(200, bindingDocument(outcome));
  },
});

const deleteProxyBinding = endpoint({
  name: "deleteProxyBinding",
  tag: "Proxy bindings",
  summary: "Remove a proxy binding; its address is kept for its former owner",
  description:
    "Mail to its address is refused from then on. The address is given to nobody else; created again by its former owner, it is a new binding.",
  method: "DELETE",
  path: "/api/v1/proxy-bindings/{id}",
  credentials: "token or bearer",
  scope: "alias:write",
  responses: { 204: undefined, 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ services, caller, path: { id = "" } }) {
    await services.bindings.remove({ ownerId: caller.accountId, apiKey: caller.key, id });
    return respond(204);
  },
});

export const proxyBindingEndpoints = [
  listProxyBindings,
  createProxyBinding,
  showProxyBinding,
  updateProxyBinding,
  deleteProxyBinding,
] as const;
