import { endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { RecordingDocument } from "../schemas/recorders.ts";

/** Interface specification 4.9. The latest call; a body that is a JSON object or array as that, anything else as a string. */
export const showRecording = endpoint({
  name: "showRecording",
  tag: "Webhook recorder",
  summary: "Read what was last sent to a recorder's call URL",
  description: "The latest call. A body that is a JSON object or array is shown as that, anything else as a string.",
  method: "GET",
  path: "/api/v1/callback/get/{hash}",
  credentials: "token or bearer",
  answers: { 200: RecordingDocument, 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ peers, caller, path: { hash = "" } }) {
    const [latest] = await peers.webhook.recordedCalls({ ownerId: caller.accountId, hash, first: 1 });
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
