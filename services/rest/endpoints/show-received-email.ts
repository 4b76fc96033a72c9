import { detailsDocument } from "../documents/received-email-document.ts";
import { answer, endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { ReceivedEmailDocument } from "../schemas/received-emails.ts";

/** Interface specification 4.7. */
export const showReceivedEmail = endpoint({
  name: "showReceivedEmail",
  tag: "Received emails",
  summary: "Show a received email of a browsable proxy binding",
  description:
    "payload is in the widely used inbound-parse dialect: every header under its own name, and beside them the sender, the recipient and the text and HTML, one made from the other where it is missing.",
  method: "GET",
  path: "/api/v1/received-emails/{receivedEmailId}",
  credentials: "token or bearer",
  answers: {
    200: ReceivedEmailDocument,
    401: ErrorDocument,
    403: ErrorDocument,
    404: ErrorDocument,
    503: ErrorDocument,
  },
  async handle({ peers, caller, path: { receivedEmailId: emailId = "" } }) {
    return answer(200, detailsDocument(await peers.mailbox.details({ ownerId: caller.accountId, emailId })));
  },
});
