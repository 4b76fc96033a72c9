import type { z } from "zod";
import { asciiDomain } from "../../message/address/domain-name.ts";
import type { Database } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { checkIdCount } from "../../platform/graph/check-id-count.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { requireOperator } from "../../platform/graph/operator.ts";
import { defineSubgraph, type Subgraph } from "../../platform/graph/subgraph.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { Delivery, forwarderContract } from "../contract.ts";

interface Loaders {
  deliveries: Loader<z.input<typeof Delivery>[]>;
}

interface Reference {
  id: string;
}

const maxDestinations = 100;

/** @throws Refusal ValidationFailed for what is no domain */
function destinationOf(text: string): string {
  const domain = asciiDomain(text);
  if (domain === undefined) throw invalidField("domain", "is no domain.");
  return domain;
}

/** forwarder's part of the graph, over the same functions as its RPC. */
export function forwarderSubgraph(procedures: Implementation<typeof forwarderContract>, db: Database): Subgraph {
  return defineSubgraph<Loaders>({
    sdl: new URL("./subgraph.graphql", import.meta.url),
    loaders: (request) => ({
      deliveries: loaderOf(
        async (emailIds) => {
          const deliveries = await procedures.deliveries({ ownerId: request.ownerId, emailIds });
          return Map.groupBy(deliveries, ({ emailId }) => emailId);
        },
        () => [],
      ),
    }),
    deadEventsOf: { service: "forwarder", db },
    entities: { ReceivedEmail: (reference: Reference) => reference },
    resolvers: {
      Operator: {
        destinations: (_source: unknown, _args: unknown, request) => {
          requireOperator(request);
          return procedures.destinations({ limit: maxDestinations });
        },
      },
      ReceivedEmail: {
        deliveries: ({ id }: Reference, _args: unknown, { loaders }) => loaders.deliveries.load(id),
      },
      Mutation: {
        retryDestination: (_source: unknown, { domain }: { domain: string }, request) => {
          requireOperator(request);
          return procedures.retryWaiting({ ids: null, domain: destinationOf(domain) });
        },
        setDestinationPaused: async (
          _source: unknown,
          { domain: given, isPaused }: { domain: string; isPaused: boolean },
          request,
        ) => {
          requireOperator(request);
          const domain = destinationOf(given);
          await (isPaused ? procedures.pauseDestination({ domain }) : procedures.resumeDestination({ domain }));
          return { domain };
        },
        retryDelivery: async (
          _source: unknown,
          { emailId, realAddress }: { emailId: string; realAddress: string },
          { ownerId },
        ) => {
          await procedures.retry({ ownerId, emailId, realAddress });
          return { receivedEmail: { id: emailId } };
        },
        retryDeliveries: (_source: unknown, { emailIds }: { emailIds: string[] }, { ownerId }) =>
          procedures.retryMany({ ownerId, emailIds: checkIdCount(emailIds) }),
      },
    },
  });
}
