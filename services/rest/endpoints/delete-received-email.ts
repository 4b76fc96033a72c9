import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";

/** Interface decisions, "Proxy bindings". */
export const deleteReceivedEmail = endpoint({
  name: "deleteReceivedEmail",
  tag: "Received emails",
  summary: "Remove a received email",
  method: "DELETE",
  path: "/api/v1/received-emails/{receivedEmailId}",
  credentials: "token or bearer",
  answers: { 204: undefined, 401: ErrorDocument, 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ peers, caller, path: { receivedEmailId: emailId = "" } }) {
    await peers.mailbox.remove({ ownerId: caller.accountId, emailId });
    return answer(204);
  },
});
