import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import { event, type OutgoingEvent } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { Language } from "../../platform/rpc/language.ts";
import type { EndedCredentials } from "./credential-revocation.ts";
import { english, type MailTexts } from "./texts/english.ts";
import { german } from "./texts/german.ts";

const mailTexts: Readonly<Record<Language, MailTexts>> = { en: english, de: german };

/** What a mail with a link needs to say. */
interface LinkNoticeDetails {
  accountId: string;
  recipient: string;
  link: string;
  lifetimeHours: number;
  serviceName: string;
  /** Of the request that asked for it. */
  language: Language;
}

/** The mail that proves that a username is its owner's address. */
export function confirmationNotice(details: LinkNoticeDetails): OutgoingEvent {
  const { subject, text } = mailTexts[details.language].confirmation;
  return noticeOf(details, {
    kind: "username-verification",
    subject: subject(details.serviceName),
    text: text(details),
  });
}

interface ExistingAccount {
  account: { id: string; username: string };
  serviceName: string;
  publicUrl: string;
  language: Language;
}

/** The answer to a sign-up with an address that has an account: the same page was shown as to anybody else. */
export function accountExistsNotice({ account, language, ...said }: ExistingAccount): OutgoingEvent {
  const { id: accountId, username: recipient } = account;
  const { subject, text } = mailTexts[language].accountExists;
  return noticeOf(
    { accountId, recipient },
    { kind: "account-exists", subject: subject(said.serviceName), text: text({ ...said, recipient }) },
  );
}

/** The mail that lets somebody who forgot a password choose another. */
export function resetNotice(details: LinkNoticeDetails): OutgoingEvent {
  const { subject, text } = mailTexts[details.language].reset;
  return noticeOf(details, { kind: "password-reset", subject: subject(details.serviceName), text: text(details) });
}

/** What became different about how an account is signed in to. */
interface SecurityChange {
  account: { id: string; username: string };
  /** A sentence: "Your password was changed." */
  what: string;
  ended?: EndedCredentials;
  serviceName: string;
  publicUrl: string;
}

/** The mail that tells an owner what was changed, and what ended with it: whoever did not do it learns of it. */
export function securityNotice({ account, what, ended, serviceName, publicUrl }: SecurityChange): OutgoingEvent {
  const { id: accountId, username: recipient } = account;
  const lines = ended ? endedLines(ended) : [];
  const list = lines.length > 0 ? `\nWhat ended with it:\n${lines.map((line) => `  - ${line}`).join("\n")}\n` : "";
  return noticeOf(
    { accountId, recipient },
    {
      kind: "account-security",
      subject: `A security change to your account at ${serviceName}`,
      text: `${what}

Account: ${recipient}
${list}
If that was you, there is nothing to do. If it was not, choose a new password at once:

    ${publicUrl}/forgotten
`,
    },
  );
}

function endedLines({
  sessions,
  hadApiToken,
  apiKeys,
  isWebhookSecretRotated,
  passkeys,
  hadSecondFactor,
}: EndedCredentials): string[] {
  return [
    ...(sessions > 0 ? [sessions === 1 ? "1 session was signed out." : `${sessions} sessions were signed out.`] : []),
    ...(hadApiToken ? ["The API token stopped working. Get a new one in the settings."] : []),
    ...(apiKeys > 0 ? [apiKeys === 1 ? "1 API key stopped working." : `${apiKeys} API keys stopped working.`] : []),
    ...(isWebhookSecretRotated ? ["Webhooks are signed with a new secret. Copy it from the settings."] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? "1 passkey was removed." : `${passkeys} passkeys were removed.`] : []),
    ...(hadSecondFactor ? ["Two-factor authentication was turned off."] : []),
  ];
}

function noticeOf(
  { accountId, recipient }: { accountId: string; recipient: string },
  content: { kind: string; subject: string; text: string },
): OutgoingEvent {
  const requestedAt = timestampFromDate(new Date());
  return event(
    topics.noticeRequested,
    create(NoticeRequestedSchema, { noticeId: newId(), recipient, accountId, requestedAt, ...content }),
  );
}
