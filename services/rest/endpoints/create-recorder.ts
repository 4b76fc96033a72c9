import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { RecorderDocument } from "../schemas/recorders.ts";

/** Interface specification 4.8. */
export const createRecorder = endpoint({
  name: "createRecorder",
  tag: "Webhook recorder",
  summary: "Make a webhook recorder",
  description:
    "A URL that takes any call without credentials, and one to read what it was sent: to see what a callback looks like.",
  method: "POST",
  path: "/api/v1/callback",
  credentials: "token or bearer",
  answers: { 200: RecorderDocument, 401: ErrorDocument, 403: ErrorDocument, 503: ErrorDocument },
  async handle({ peers, caller }) {
    const { hash } = await peers.webhook.createRecorder({ ownerId: caller.accountId });
    const base = `${peers.publicUrl}/api/v1/callback`;
    return answer(200, { status: "ok", call_url: `${base}/call/${hash}`, get_url: `${base}/get/${hash}`, id: hash });
  },
});
