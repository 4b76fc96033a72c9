import type { TestAccount } from "./accounts.ts";
import type { Answer } from "./ask.ts";
import { browsableEmail, emailsPath } from "./emails.ts";
import { messageWithAttachment } from "./messages.ts";

export interface AttachmentLink {
  emailId: string;
  /** Path and query of the signed link. */
  path: string;
}

/** The link to an attachment that a person has just received. */
export async function attachmentLink(account: TestAccount, message = messageWithAttachment): Promise<AttachmentLink> {
  const { emailId } = await browsableEmail(account, message);
  return { emailId, path: linkIn(await account.ask("GET", `${emailsPath}/${emailId}`)) };
}

/** The first attachment's link, as an email's details show it. */
function linkIn({ body }: Answer): string {
  const { pathname, search } = new URL(String(body["data"]?.["attributes"]?.["attachments"]?.["0"]?.["url"]));
  return `${pathname}${search}`;
}
