import { z } from "zod";
import { AccountEvent } from "../../mailbox/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { callbackUrlCharacters } from "../../platform/net/callback-urls.ts";
import { requireUnbound } from "../../platform/security/scopes.ts";
import { dataOf, posternEndpoint } from "./endpoint.ts";

const kinds = z.array(z.enum(AccountEvent.shape.kind.options, { error: "expected a kind of event" }), {
  error: "expected a list of kinds of events",
});
const bindingIds = z.array(z.string({ error: "expected an id" }), { error: "expected a list of ids" }).max(100);

const Webhook = z
  .object({
    url: z.string(),
    kinds: kinds.meta({ description: "It is told of these kinds of events; none: of all" }),
    bindingIds: bindingIds.meta({ description: "Of these proxy bindings alone, by their ids; none: of all" }),
    off: z
      .object({ at: z.iso.datetime(), reason: z.enum(["gone", "failing"]) })
      .nullable()
      .meta({
        description:
          "Null while it is on. Otherwise since when it is told nothing: it answered 410, or took nothing for a whole schedule of attempts. PUT switches it on again",
      }),
  })
  .meta({ id: "Webhook" });

const NewWebhook = z.object({
  url: z.string({ error: "expected a URL" }).meta({ maxLength: callbackUrlCharacters }),
  kinds: kinds.default([]),
  bindingIds: bindingIds.default([]),
});

interface Known {
  url: string;
  kinds: readonly string[];
  bindingIds: readonly string[];
  offAt: string | null;
  offReason: "gone" | "failing" | null;
}

function shown({ url, kinds, bindingIds, offAt, offReason }: Known) {
  return { url, kinds, bindingIds, off: offAt && offReason ? { at: offAt, reason: offReason } : null };
}

const path = "/webhook";

const showWebhook = posternEndpoint({
  name: "showWebhook",
  summary: "Show the account's webhook",
  description: "404 where there is none. What it was told is in the graph, as `accountWebhook.calls`.",
  method: "GET",
  path,
  scope: "admin",
  responses: { 200: dataOf(Webhook) },
  refusals: [404],
  async handle({ services, caller }) {
    const { webhook } = await services.webhook.accountWebhook({ ownerId: caller.accountId });
    if (!webhook) throw new Refusal("NotFound", { public: "There is no webhook." });
    return { status: 200, data: shown(webhook) };
  },
});

const putWebhook = posternEndpoint({
  name: "putWebhook",
  summary: "Have a URL called with what happens, one for the account",
  description:
    "The events of readEvents, each as JSON without its cursor, by POST, signed by the webhook secret as callbacks are (Standard Webhooks): at least once each, told apart by their id, in no order, with the attempts of callbacks. At most 20,000 wait: what happens beyond is found by readEvents. 201 where there was none, 200 where there was; what is left out of the body is as if it were empty.",
  method: "PUT",
  path,
  scope: "admin",
  body: NewWebhook,
  responses: { 200: dataOf(Webhook), 201: dataOf(Webhook) },
  async handle({ services, caller, body }) {
    requireUnbound(caller);
    const { url, kinds, bindingIds } = body;
    const ownerId = caller.accountId;
    const { webhook, isCreated } = await services.webhook.setAccountWebhook({ ownerId, url, kinds, bindingIds });
    return { status: isCreated ? 201 : 200, data: shown(webhook) };
  },
});

const removeWebhook = posternEndpoint({
  name: "removeWebhook",
  summary: "Remove the account's webhook",
  description: "There need be none. What waits for it is not sent any more.",
  method: "DELETE",
  path,
  scope: "admin",
  responses: { 204: undefined },
  async handle({ services, caller }) {
    requireUnbound(caller);
    await services.webhook.removeAccountWebhook({ ownerId: caller.accountId });
    return { status: 204 };
  },
});

export const webhookEndpoints = [showWebhook, putWebhook, removeWebhook];
