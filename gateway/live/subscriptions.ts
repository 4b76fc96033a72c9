import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApolloServer } from "@apollo/server";
import type { GraphQLSchema } from "graphql";
import type { bindingsContract } from "../../services/bindings/contract.ts";
import type { mailboxContract } from "../../services/mailbox/contract.ts";
import { asServiceError, Refusal } from "../../services/platform/errors.ts";
import type { CallerStatements, GraphCaller } from "../../services/platform/graph/caller-statement.ts";
import { isClientAbort } from "../../services/platform/http/client-abort.ts";
import { readBody } from "../../services/platform/http/read-body.ts";
import type { Client } from "../../services/platform/rpc/contract.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import { clientAddress } from "../client-address.ts";
import type { GraphContext } from "../graph/context.ts";
import { bodyLimitBytes, parsed, refuse } from "../graph/handler.ts";
import type { Bounds } from "../graph/query-limits.ts";
import type { LiveConnection, LiveConnections, LiveListener } from "./live-connections.ts";
import { emailVariable, type Subscription, type SubscriptionRequest, subscriptionOf } from "./subscription-query.ts";

interface SubscriptionOptions {
  connections: LiveConnections;
  server: Pick<ApolloServer<GraphContext>, "executeOperation">;
  schema(): GraphQLSchema;
  bounds: Bounds;
  statements: CallerStatements;
  bindings: Pick<Client<typeof bindingsContract>, "get">;
  mailbox: Pick<Client<typeof mailboxContract>, "timeline">;
  trustedHops: number;
  logger: Logger;
  /** How often a timeline is looked at. */
  pollMs?: number;
}

/** Emails that may wait while their queries are answered; beyond that the client reads the list. */
const maxWaiting = 100;

/**
 * /graphql/stream: subscriptions as graphql-sse's "distinct connections mode" has them, a connection each. What was selected is asked
 * as a query for every event, by whoever subscribed.
 */
export function subscriptionStream(options: SubscriptionOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await options.connections.serve(request, response, async (caller) => {
        const subscription = subscriptionOf(options.schema(), await given(request), options.bounds);
        const ask = asking(subscription, caller, clientAddress(request, options.trustedHops), options);
        return subscription.field === "emailArrived"
          ? arrivalsOf(subscription.id, caller, ask, options)
          : changesOf(subscription.id, caller, ask, options);
      });
    } catch (error) {
      if (isClientAbort(error, request, response)) response.destroy();
      else refuse(asServiceError(error), response, options.logger);
    }
  };
}

/** Asks for what was selected of an email, and writes it. */
type Ask = (emailId: string, connection: LiveConnection) => Promise<void>;

function asking(
  { query, variables }: Subscription,
  caller: GraphCaller,
  address: string,
  { server, statements, logger }: SubscriptionOptions,
): Ask {
  return async (emailId, connection) => {
    try {
      const statement = statements.sign({ caller, clientAddress: address });
      const { body } = await server.executeOperation(
        { query, variables: { ...variables, [emailVariable]: emailId } },
        { contextValue: { statement, session: {} } },
      );
      if (body.kind === "single") connection.write(`event: next\ndata: ${JSON.stringify(body.singleResult)}\n\n`);
    } catch (error) {
      logger.error({ err: error }, "cannot answer a subscription");
      connection.end();
    }
  };
}

/** Each email that can be read from now on. @throws Refusal NotFound for a binding of another account */
async function arrivalsOf(
  bindingId: string,
  { accountId: ownerId }: GraphCaller,
  ask: Ask,
  { bindings }: SubscriptionOptions,
): Promise<LiveListener> {
  await bindings.get({ ownerId, id: bindingId });
  const waiting: string[] = [];
  let isAsking = false;
  return {
    opened: ({ write }) => write(":\n\n"),
    arrived: async (line, connection) => {
      const arrival = JSON.parse(line) as { bindingId: string; emailId: string };
      if (arrival.bindingId !== bindingId) return;
      if (waiting.push(arrival.emailId) > maxWaiting) connection.end();
      if (isAsking) return;
      isAsking = true;
      for (let emailId = waiting.shift(); emailId !== undefined; emailId = waiting.shift())
        await ask(emailId, connection);
      isAsking = false;
    },
    closed: () => void waiting.splice(0),
  };
}

/** The email as it is, and again whenever its timeline has grown. @throws Refusal NotFound for an email of another account */
async function changesOf(
  emailId: string,
  { accountId: ownerId }: GraphCaller,
  ask: Ask,
  { mailbox, pollMs = 2_000 }: SubscriptionOptions,
): Promise<LiveListener> {
  const read = async () => JSON.stringify(await mailbox.timeline({ ownerId, emailId }));
  let shown = await read();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const look = async (connection: LiveConnection) => {
    try {
      const found = await read();
      if (found !== shown) await ask(emailId, connection);
      shown = found;
    } catch (error) {
      // It was removed; an outage ends nothing.
      if (error instanceof Refusal) {
        connection.write("event: complete\ndata:\n\n");
        connection.end();
      }
    }
    if (!isClosed) timer = setTimeout(() => void look(connection), pollMs);
  };
  return {
    opened: (connection) => void ask(emailId, connection).then(() => look(connection)),
    arrived: () => undefined,
    closed: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** @throws Refusal MalformedRequest, BodyTooLarge, MethodNotAllowed */
async function given(request: IncomingMessage): Promise<SubscriptionRequest> {
  if (request.method === "GET") {
    const search = new URL(request.url ?? "/", "http://localhost").searchParams;
    const variables = search.get("variables");
    return {
      query: search.get("query") ?? undefined,
      operationName: search.get("operationName") ?? undefined,
      ...(variables === null ? {} : { variables: parsed(variables) }),
    };
  }
  return parsed((await readBody(request, bodyLimitBytes.known)).toString("utf8")) as SubscriptionRequest;
}
