import { answer, endpoint } from "../http/endpoint.ts";
import { readBody } from "../http/read-json.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { RecordedDocument } from "../schemas/recorders.ts";

const bodyLimitBytes = 10 * 1024 * 1024;

/** Interface specification 4.10: whatever the method, without credentials, even an empty body. */
export const recordCall = endpoint({
  name: "recordCall",
  tag: "Webhook recorder",
  summary: "The call URL of a recorder: records the method and the body",
  description: "Takes every method, any body up to 10 MiB, and no body too. The last 50 calls are kept for 30 days.",
  method: "ANY",
  path: "/api/v1/callback/call/{hash}",
  credentials: "none",
  answers: { 200: RecordedDocument, 404: ErrorDocument, 413: ErrorDocument, 503: ErrorDocument },
  async handle({ peers, request, path: { hash = "" } }) {
    const body = await readBody(request, bodyLimitBytes);
    await peers.webhook.record({ hash, method: request.method, body: body.toString("base64") });
    return answer(200, { status: "ok" });
  },
});
