import type { ApolloServerPlugin } from "@apollo/server";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { newId } from "../../services/platform/ids.ts";
import type { Logger } from "../../services/platform/telemetry/logger.ts";
import type { GraphContext } from "./context.ts";

/** REST's kinds for what GraphQL itself refuses, by Apollo's code. */
const kinds: Readonly<Record<string, string>> = {
  GRAPHQL_PARSE_FAILED: "MalformedRequest",
  GRAPHQL_VALIDATION_FAILED: "ValidationFailed",
  BAD_USER_INPUT: "ValidationFailed",
  BAD_REQUEST: "MalformedRequest",
  OPERATION_RESOLUTION_FAILURE: "MalformedRequest",
  PERSISTED_QUERY_NOT_FOUND: "NotFound",
  PERSISTED_QUERY_NOT_SUPPORTED: "ValidationFailed",
};

/** Makes every error one of ours: a code, a kind, an id that the logs know, and nothing of how we are made. */
export function errorFormatter(
  logger: Pick<Logger, "info" | "error">,
): (shown: GraphQLFormattedError, error: unknown) => GraphQLFormattedError {
  let lastLoggedId: unknown;
  return (shown, error) => {
    const { kind, id = newId(), service = "gateway", field, retryAfterS, missing } = shown.extensions ?? {};
    const code = isAskersFault(error) ? "BAD_REQUEST" : shown.extensions?.["code"];
    const known = kind ?? kinds[String(code)];
    if (isTooDeep(error)) {
      logger.info({ id, kind: "MalformedRequest" }, "request refused");
      return tooDeep(String(id));
    }
    if (known === undefined) {
      logger.error({ id, err: error }, "graph request failed");
      const extensions = { code: "INTERNAL_SERVER_ERROR", kind: "Internal", id, service };
      return { message: "Something went wrong on our side.", ...(shown.path ? { path: shown.path } : {}), extensions };
    }
    // What a service refuses it has logged itself. The message may quote the document, which may hold an address.
    if (service === "gateway" && id !== lastLoggedId) logger.info({ id, kind: known, code }, "request refused");
    lastLoggedId = id;
    // What is undefined does not stand in the JSON.
    const extensions = { code, kind: known, id, service, field, retryAfterS, missing };
    return { ...shown, extensions };
  };
}

/** Gives all faults of a document one id, so that they are one entry of the log. */
export const oneIdPerDocument: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors }) => {
      const id = newId();
      for (const { extensions } of errors) extensions["id"] ??= id;
    },
  }),
};

/** GraphQL reads documents by recursion: one that is nested too deeply ends in the runtime's RangeError. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof GraphQLError && isTooDeep(error.originalError));
}

function tooDeep(id: string): GraphQLFormattedError {
  const extensions = { code: "GRAPHQL_PARSE_FAILED", kind: "MalformedRequest", id, service: "gateway" };
  return { message: "The document is nested too deeply.", extensions };
}

/** Apollo gives no code to some faults of a request, such as a persisted query of another version, but a status of its own. */
function isAskersFault(error: unknown): boolean {
  if (!(error instanceof GraphQLError) || "code" in error.extensions) return false;
  const { status } = (error.extensions["http"] ?? {}) as { status?: number };
  return status !== undefined && status >= 400 && status < 500;
}
