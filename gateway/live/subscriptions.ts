import type { IncomingMessage, ServerResponse } from "node:http";
import type { bindingsContract } from "../../services/bindings/contract.ts";
import type { mailboxContract } from "../../services/mailbox/contract.ts";
import { asServiceError, Refusal } from "../../services/platform/errors.ts";
import type { CallerStatements, GraphCaller } from "../../services/platform/graph/caller-statement.ts";
import { isClientAbort } from "../../services/platform/http/client-abort.ts";
import { readBody } from "../../services/platform/http/read-body.ts";
import type { Client } from "../../services/platform/rpc/contract.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import { clientAddress } from "../client-address.ts";
import type { Graph } from "../graph/graph.ts";
import { bodyLimitBytes, refuse } from "../graph/handler.ts";
import { parseJson } from "../graph/json.ts";
import { emailVariable, type Subscription, type SubscriptionRequest } from "../graph/subscription-query.ts";
import type { Asking } from "../graph/thread.ts";
import type { LiveConnection, LiveConnections, LiveListener } from "./live-connections.ts";

interface SubscriptionOptions {
  connections: LiveConnections;
  graph: Pick<Graph, "ask" | "subscription">;
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
        const address = clientAddress(request, options.trustedHops);
        const asking = askingOf(caller, address, options);
        const subscription = await options.graph.subscription(await given(request), asking());
        const ask = asked(subscription, asking, options);
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

/** Who asks, stated anew for each query: a subscription outlives a statement. */
function askingOf(caller: GraphCaller, address: string, { statements }: SubscriptionOptions): () => Asking {
  return () => {
    const statement = statements.sign({ caller, clientAddress: address });
    return { context: { statement, session: {} }, asker: caller.accountId };
  };
}

function asked({ query, variables }: Subscription, asking: () => Asking, { graph, logger }: SubscriptionOptions): Ask {
  return async (emailId, connection) => {
    try {
      if (!(await connection.isStillSignedIn())) {
        connection.end();
        return;
      }
      const answer = await graph.ask({ query, variables: { ...variables, [emailVariable]: emailId } }, asking());
      connection.write(`event: next\ndata: ${JSON.stringify(answer)}\n\n`);
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
      ...(variables === null ? {} : { variables: parseJson(variables) }),
    };
  }
  return parseJson((await readBody(request, bodyLimitBytes.known)).toString("utf8")) as SubscriptionRequest;
}
