import type MimeNode from "nodemailer/lib/mime-node";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";

/** ASCII without controls, in lines of at most 998 octets. */
const sevenBitText = /^(?:[\t -~]{0,998}(?:\r?\n|$))*$/;

interface NoticeRow {
  id: string;
  subject: string;
  text: string;
  html: string | null;
  requestedAt: Date;
  /** The whole message of a report to an author, which is composed when it is scheduled. */
  message: Buffer | null;
}

/** The From of the service's own mail. */
interface Sender {
  name: string;
  domain: string;
}

/**
 * A mail of the service's own, the same at every attempt but for MIME boundaries; a report to an author has no reverse
 * path (RFC 3464 section 2). @throws Refusal NotFound if it was deleted
 */
export async function readNotice(
  db: Database,
  noticeId: string,
  recipient: string,
  sender: Sender,
): Promise<{ message: Buffer; isReport: boolean }> {
  const { rows } = await db.query<NoticeRow>(
    "select id, subject, text, html, requested_at, message from notice where id = $1",
    [noticeId],
  );
  const [notice] = rows;
  if (!notice) throw new Refusal("NotFound", { public: "This notice is gone." });
  if (notice.message) return { message: notice.message, isReport: true };
  return { message: await compose(notice, recipient, sender), isReport: false };
}

async function compose(notice: NoticeRow, recipient: string, sender: Sender): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const mail = new MailComposer({
    from: { name: sender.name, address: `postmaster@${sender.domain}` },
    to: { name: "", address: recipient },
    subject: notice.subject,
    text: notice.text,
    html: notice.html ?? undefined,
    date: notice.requestedAt,
    messageId: `<${notice.id}@${sender.domain}>`,
    // Keeps automatic responders from answering (RFC 3834 section 5).
    headers: { "Auto-Submitted": "auto-generated" },
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const root = mail.compile();
  for (const node of [root, ...root.childNodes]) keepPlain(node);
  return root.build();
}

/**
 * Sends text as 7bit where possible (RFC 2045 section 2.7): quoted-printable would break a link over two lines for those
 * who read the source. By itself, the composer uses 7bit only for lines of up to 76 characters.
 */
function keepPlain(node: MimeNode): void {
  if (typeof node.content === "string" && sevenBitText.test(node.content)) node.getTransferEncoding = () => "7bit";
}
