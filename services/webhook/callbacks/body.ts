import type { z } from "zod";
import type { WebhookIdentity } from "../../auth/contract.ts";
import type { mailboxContract } from "../../mailbox/contract.ts";

type Content = z.output<(typeof mailboxContract)["procedures"]["callbackContent"]["output"]>;
type Identity = Pick<z.output<typeof WebhookIdentity>, "accountId" | "username">;

/**
 * What a callback says, as bytes (interface decisions, "Callback"). The same for the same email at every attempt: nothing
 * here depends on when or by whom it is made. Never a token of the user's.
 */
export function callbackBody(emailId: string, content: Content, user: Identity): Buffer {
  const { payload, attachments, recipient, receivedAt } = content;
  const body = {
    id: emailId,
    payload,
    attachments: attachments.map(({ filename, mime, sizeBytes, contentId, url }) => ({
      filename,
      mime,
      size: sizeBytes,
      content_id: contentId,
      url,
    })),
    recipient: { address: recipient },
    receivedAt: receivedAtForm(new Date(receivedAt)),
    user: { id: user.accountId, username: user.username },
  };
  return Buffer.from(JSON.stringify(body));
}

/** `Sat Jan 20 2024 02:00:46 GMT+0000`: ECMAScript's own form (section 21.4.4.41.4) in UTC, without the zone's name. */
export function receivedAtForm(at: Date): string {
  const [weekday = "", day = "", month = "", year = "", time = ""] = at.toUTCString().split(" ");
  return `${weekday.slice(0, -1)} ${month} ${day} ${year} ${time} GMT+0000`;
}
