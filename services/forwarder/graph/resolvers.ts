import type { z } from "zod";
import { checkIdCount } from "../../platform/graph/check-id-count.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { defineSubgraph, type Subgraph } from "../../platform/graph/subgraph.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { Delivery, forwarderContract } from "../contract.ts";

interface Loaders {
  deliveries: Loader<z.input<typeof Delivery>[]>;
}

interface Reference {
  id: string;
}

/** forwarder's part of the graph, over the same functions as its RPC. */
export function forwarderSubgraph(procedures: Implementation<typeof forwarderContract>): Subgraph {
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
    entities: { ReceivedEmail: (reference: Reference) => reference },
    resolvers: {
      ReceivedEmail: {
        deliveries: ({ id }: Reference, _args: unknown, { loaders }) => loaders.deliveries.load(id),
      },
      Mutation: {
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
