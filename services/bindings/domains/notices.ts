import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NoticeRequestedSchema } from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import type { EvaluatedRecord } from "./records.ts";

type DomainNoticeKind = "broken" | "restored" | "taken-over";

interface DomainNotice {
  kind: DomainNoticeKind;
  ownerId: string;
  name: string;
  records: readonly EvaluatedRecord[];
  serviceName: string;
}

const subjects = {
  broken: (name: string) => `The DNS records of ${name} are not right`,
  restored: (name: string) => `The DNS records of ${name} are right again`,
  "taken-over": (name: string) => `${name} belongs to another account now`,
};

/** Asks for a mail to the owner of a domain; not where the account has no address that mail can be sent to. */
export async function sendDomainNotice(tx: Transaction, notice: DomainNotice): Promise<void> {
  const { rows } = await tx.query<{ address: string | null }>(
    "select own_address as address from owner where id = $1",
    [notice.ownerId],
  );
  const recipient = rows[0]?.address;
  if (!recipient) return;
  const message = create(NoticeRequestedSchema, {
    noticeId: newId(),
    accountId: notice.ownerId,
    recipient,
    subject: subjects[notice.kind](notice.name),
    text: textOf(notice),
    requestedAt: timestampFromDate(new Date()),
    kind: `domain-${notice.kind}`,
  });
  await publish(tx, event(topics.noticeRequested, message));
}

function textOf({ kind, name, records, serviceName }: DomainNotice): string {
  if (kind === "restored") return `The DNS records of\n\n    ${name}\n\nare right again. There is nothing to do.\n`;
  if (kind === "taken-over")
    return `Another account of ${serviceName} has proved that it owns\n\n    ${name}\n\nand the record that proved it for you is gone. Your proxy addresses there lead nowhere any more.\n`;
  const wrong = records.filter(({ verdict }) => verdict === "missing" || verdict === "wrong");
  const lines = wrong.map(({ name: at, type, expected }) => `    ${at}. ${type} ${expected}`).join("\n");
  return `Records that

    ${name}

needs are not published any more, by what its name servers have answered for a day:

${lines}

${serviceName} still takes mail that reaches it. Nothing of yours is removed, but who publishes a proof of their own takes the
domain over.
`;
}
