import type { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import { checkIdCount } from "../../platform/graph/check-id-count.ts";
import { pageSize } from "../../platform/graph/paging.ts";
import type { Resolver } from "../../platform/graph/subgraph.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import { requireUnbound } from "../../platform/security/scopes.ts";
import type { TestCalls } from "../callbacks/test-call.ts";
import type { EventCall, webhookContract } from "../contract.ts";

type Fields = Readonly<Record<string, Resolver<unknown>>>;

interface Dependencies {
  procedures: Implementation<typeof webhookContract>;
  testCalls: TestCalls;
}

interface WebhookInput {
  url: string;
  kinds?: string[] | null;
  bindingIds?: string[] | null;
}

interface Narrowing {
  states?: ("WAITING" | "DELIVERED" | "GIVEN_UP" | "CANCELLED")[] | null;
  bindingId?: string | null;
}

interface PageArguments extends Narrowing {
  first?: number | null;
  after?: string | null;
}

interface RetryArguments extends Narrowing {
  ids?: string[] | null;
}

/** Of the account's webhook, over the same functions as its RPC. */
export function accountWebhookFields({ procedures, testCalls }: Dependencies): Record<string, Fields> {
  return {
    Query: {
      accountWebhook: async (_source, _args, { ownerId }) => (await procedures.accountWebhook({ ownerId })).webhook,
    },
    Mutation: {
      setAccountWebhook: async (_source, { input }: { input: WebhookInput }, { ownerId, caller }) => {
        requireUnbound(caller);
        const { url, kinds, bindingIds } = input;
        const setting = { ownerId, url, kinds: kinds ?? [], bindingIds: bindingIds ?? [] };
        return { accountWebhook: (await procedures.setAccountWebhook(setting)).webhook };
      },
      removeAccountWebhook: async (_source, _args, { ownerId, caller }) => {
        requireUnbound(caller);
        await procedures.removeAccountWebhook({ ownerId });
        return { isRemoved: true };
      },
      testAccountWebhook: async (_source, _args, { ownerId }) => {
        const { webhook } = await procedures.accountWebhook({ ownerId });
        if (!webhook) throw new Refusal("NotFound", { public: "There is no webhook." });
        return testCalls.call(ownerId, webhook.url, testBody);
      },
      retryWebhookCalls: (_source, { ids, ...narrowing }: RetryArguments, { ownerId }) =>
        procedures.retryEventCalls({
          ownerId,
          ids: ids ? checkIdCount(ids, "ids") : undefined,
          ...narrowed(narrowing),
        }),
    },
    WebhookCall: {
      email: ({ emailId }: Pick<z.input<typeof EventCall>, "emailId">) => emailId && { id: emailId },
    },
    AccountWebhook: {
      calls: async (_source, { first, after, ...narrowing }: PageArguments, { ownerId }) => {
        const size = pageSize(first);
        const calls = await procedures.eventCalls({
          ownerId,
          first: size + 1,
          after: after ?? undefined,
          ...narrowed(narrowing),
        });
        const nodes = calls.slice(0, size);
        return { nodes, pageInfo: { hasNextPage: calls.length > size, endCursor: nodes.at(-1)?.id ?? null } };
      },
      failedCallCount: async (_source, { bindingId }: Narrowing, { ownerId }) =>
        (await procedures.failedEventCallCount({ ownerId, bindingId: bindingId ?? undefined })).count,
    },
  };
}

/** As RPC names them. */
function narrowed({ states, bindingId }: Narrowing) {
  return {
    states: (states ?? []).map((state) => state.toLowerCase() as Lowercase<typeof state>),
    bindingId: bindingId ?? undefined,
  };
}

function testBody(id: string) {
  const none = { bindingId: null, emailId: null, address: null, outcome: null };
  return [Buffer.from(JSON.stringify({ id, kind: "test", at: new Date().toISOString(), ...none }))];
}
