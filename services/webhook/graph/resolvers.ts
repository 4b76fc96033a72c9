import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { checkIdCount } from "../../platform/graph/check-id-count.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { defineSubgraph, type EntityResolvers, type Resolvers, type Subgraph } from "../../platform/graph/subgraph.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { TestCalls } from "../callbacks/test-call.ts";
import type { Callback, CallbackExchange, RecordedCall, webhookContract } from "../contract.ts";
import { noRecorder, type Recorders } from "../recorders/recorders.ts";
import { accountWebhookFields } from "./account-webhook-resolvers.ts";

interface Dependencies {
  db: Database;
  procedures: Implementation<typeof webhookContract>;
  recorders: Recorders;
  testCalls: TestCalls;
  publicUrl: string;
}

interface Loaders {
  callbacks: Loader<z.input<typeof Callback> | null>;
  recorders: Loader<Recorder>;
  calls: Loader<z.input<typeof RecordedCall>[]>;
}

type Exchange = z.output<typeof CallbackExchange>;

interface Reference {
  id: string;
}

interface Recorder extends Reference {
  createdAt: string;
}

/** Calls that a recorder keeps. */
const keptCalls = 50;

/** webhook's part of the graph, over the same functions as its RPC. */
export function webhookSubgraph(dependencies: Dependencies): Subgraph {
  const { procedures, recorders } = dependencies;
  const ofWebhook = accountWebhookFields(dependencies);
  return defineSubgraph<Loaders>({
    sdl: new URL("./subgraph.graphql", import.meta.url),
    loaders: (request) => ({
      callbacks: loaderOf<z.input<typeof Callback> | null>(
        async (emailIds) => {
          const callbacks = await procedures.callbacks({ ownerId: request.ownerId, emailIds });
          return new Map(callbacks.map((callback) => [callback.emailId, callback]));
        },
        () => null,
      ),
      recorders: loaderOf(
        async () => new Map((await recorders.list(request.ownerId)).map((each) => [each.hash, shown(each)])),
        noRecorder,
      ),
      calls: loaderOf((hashes) => recorders.callsOf(request.ownerId, hashes, keptCalls), noRecorder),
    }),
    entities,
    deadEventsOf: { service: "webhook", db: dependencies.db },
    resolvers: {
      ...types(dependencies),
      ...ofWebhook,
      Query: { ...queries(dependencies), ...ofWebhook["Query"] },
      Mutation: { ...mutations(dependencies), ...ofWebhook["Mutation"] },
    },
  });
}

const entities: EntityResolvers<Loaders> = { ReceivedEmail: (reference: Reference) => reference };

function types({ publicUrl }: Dependencies): Resolvers<Loaders> {
  return {
    ReceivedEmail: { callback: ({ id }: Reference, _args: unknown, { loaders }) => loaders.callbacks.load(id) },
    CallbackExchange: {
      requestHeaders: ({ requestHeaders }: Exchange) => fieldsOf(requestHeaders),
      responseHeaders: ({ responseHeaders }: Exchange) => fieldsOf(responseHeaders),
    },
    Recorder: {
      callUrl: ({ id }: Reference) => `${publicUrl}/api/v1/callback/call/${id}`,
      getUrl: ({ id }: Reference) => `${publicUrl}/api/v1/callback/get/${id}`,
      calls: async ({ id }: Reference, { first }: { first?: number | null }, { loaders }) =>
        (await loaders.calls.load(id)).slice(0, callCount(first)),
    },
  };
}

function queries({ recorders }: Dependencies): Resolvers<Loaders>[string] {
  return {
    recorders: async (_source: unknown, _args: unknown, { ownerId }) => (await recorders.list(ownerId)).map(shown),
    recorder: (_source: unknown, { id }: Reference, { loaders }) => loaders.recorders.load(id),
  };
}

function mutations({ procedures, testCalls }: Dependencies): Resolvers<Loaders>[string] {
  return {
    createRecorder: async (_source: unknown, _args: unknown, { ownerId, loaders }) => {
      const { hash } = await procedures.createRecorder({ ownerId });
      return { recorder: loaders.recorders.load(hash) };
    },
    deleteRecorder: async (_source: unknown, { id }: Reference, { ownerId }) => {
      await procedures.removeRecorder({ ownerId, hash: id });
      return { id };
    },
    retryCallback: async (_source: unknown, { emailId }: { emailId: string }, { ownerId }) => {
      await procedures.retry({ ownerId, emailId });
      return { receivedEmail: { id: emailId } };
    },
    retryCallbacks: (_source: unknown, { emailIds }: { emailIds: string[] }, { ownerId }) =>
      procedures.retryMany({ ownerId, emailIds: checkIdCount(emailIds) }),
    testCallback: (_source: unknown, { proxyBindingId }: { proxyBindingId: string }, { ownerId }) =>
      testCalls.run(ownerId, proxyBindingId),
  };
}

function fieldsOf(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function shown({ hash, createdAt }: { hash: string; createdAt: string }): Recorder {
  return { id: hash, createdAt };
}

function callCount(first: number | null | undefined): number {
  const count = first ?? keptCalls;
  if (count < 1 || count > keptCalls)
    throw new Refusal("ValidationFailed", { field: "first", public: `must be from 1 to ${keptCalls}.` });
  return count;
}
