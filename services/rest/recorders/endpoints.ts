import { z } from "zod";
import { readAnyBody } from "../../platform/http/read-body.ts";
import { networkOf } from "../../platform/net/ip-address.ts";
import { BytesInFlight } from "../http/bytes-in-flight.ts";
import { endpoint, respond } from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";

const RecorderDocument = z
  .object({ status: z.literal("ok"), call_url: z.string(), get_url: z.string(), id: z.string() })
  .meta({ id: "Recorder" });

const RecordingDocument = z
  .object({
    status: z.literal("ok"),
    code: z.literal("ok"),
    is_received: z.boolean().meta({ description: "False until something was sent to the call URL" }),
    payload: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string(), z.null()]),
    method: z.string().nullable().meta({ example: "POST" }),
  })
  .meta({ id: "Recording" });

const RecordedDocument = z.object({ status: z.literal("ok") }).meta({ id: "Recorded" });

const createRecorder = endpoint({
  name: "createRecorder",
  tag: "Webhook recorder",
  summary: "Make a webhook recorder",
  description:
    "A URL that takes any call without credentials, and one to read what it was sent: to see what a callback looks like.",
  method: "POST",
  path: "/api/v1/callback",
  credentials: "token or bearer",
  scope: "admin",
  responses: { 200: RecorderDocument, 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument },
  async handle({ services, caller }) {
    const { hash } = await services.webhook.createRecorder({ ownerId: caller.accountId });
    const base = `${services.publicUrl}/api/v1/callback`;
    return respond(200, { status: "ok", call_url: `${base}/call/${hash}`, get_url: `${base}/get/${hash}`, id: hash });
  },
});

/** The latest call; a body that is a JSON object or array as that, anything else as a string. */
const showRecording = endpoint({
  name: "showRecording",
  tag: "Webhook recorder",
  summary: "Read what was last sent to a recorder's call URL",
  description: "The latest call. A body that is a JSON object or array is shown as that, anything else as a string.",
  method: "GET",
  path: "/api/v1/callback/get/{hash}",
  credentials: "token or bearer",
  scope: "admin",
  responses: { 200: RecordingDocument, 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ services, caller, path: { hash = "" } }) {
    const [latest] = await services.webhook.recordedCalls({ ownerId: caller.accountId, hash, first: 1 });
    const payload = latest ? payloadAsJson(latest.body) : "null";
    const method = JSON.stringify(latest?.method ?? null);
    const json = `{"status":"ok","code":"ok","is_received":${latest !== undefined},"payload":${payload},"method":${method}}`;
    return { status: 200, json };
  },
});

/** A document stays as it was sent: numbers beyond a double, names that are there twice, and any depth of nesting survive. */
function payloadAsJson(body: string): string {
  return isDocument(body) ? body : JSON.stringify(body);
}

function isDocument(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

const bodyLimitBytes = 10 * 1024 * 1024;

/**
 * A call is in memory several times over while it is handed on: few of the longest at once. One owner's or one client's share is
 * less than half, so that neither keeps the others out.
 */
const inFlight = new BytesInFlight({ totalBytes: 32 * 1024 * 1024, perKeyBytes: 1.5 * bodyLimitBytes });

/** Whatever the method, without credentials, even an empty body. */
const recordCall = endpoint({
  name: "recordCall",
  tag: "Webhook recorder",
  summary: "The call URL of a recorder: records the method and the body",
  description:
    "Takes every method, any body up to 10 MiB, and no body too. A body that is coded with gzip or deflate is recorded without its coding, for headers are not kept. The last 50 calls are kept for 30 days.",
  method: "ANY",
  path: "/api/v1/callback/call/{hash}",
  credentials: "none",
  scope: "none",
  bodyLimitBytes,
  responses: {
    200: RecordedDocument,
    404: ErrorDocument,
    413: ErrorDocument,
    429: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ services, request, clientAddress, path: { hash = "" } }) {
    // Before a byte is read: anybody may call, and most of what is made up is no recorder.
    const { ownerId = hash } = await services.webhook.findRecorder({ hash });
    await inFlight.run([`owner ${ownerId}`, `client ${networkOf(clientAddress)}`], async (count) => {
      const body = await readAnyBody(request, bodyLimitBytes, count);
      await services.webhook.record({ hash, method: request.method, body: body.toString("base64") });
    });
    return respond(200, { status: "ok" });
  },
});

/** Beside those of the contract: what was made can be removed. */
const deleteRecorder = endpoint({
  name: "deleteRecorder",
  tag: "Webhook recorder",
  summary: "Remove a recorder and the calls that it recorded",
  method: "DELETE",
  path: "/api/v1/recorders/{hash}",
  credentials: "token or bearer",
  scope: "admin",
  responses: { 204: undefined, 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ services, caller, path: { hash = "" } }) {
    await services.webhook.removeRecorder({ ownerId: caller.accountId, hash });
    return respond(204);
  },
});

export const recorderEndpoints = [createRecorder, showRecording, recordCall, deleteRecorder] as const;
