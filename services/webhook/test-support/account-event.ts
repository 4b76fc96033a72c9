import { create } from "@bufbuild/protobuf";
import { AccountEventRecordedSchema } from "../../../proto/gen/postern/mailbox/v1/account_event_recorded_pb.js";
import { topics } from "../../../proto/topics.ts";
import { newId } from "../../platform/ids.ts";
import type { WebhookUnderTest } from "./webhook.ts";

interface Given {
  ownerId: string;
  kind?: string;
  bindingId?: string;
}

/** Events of accounts that mailbox publishes, in one batch; gives their ids. */
export async function happen(service: WebhookUnderTest, ...events: Given[]): Promise<string[]> {
  const messages = events.map((event) =>
    create(AccountEventRecordedSchema, { eventId: newId(), kind: "email.arrived", ...event }),
  );
  await service.handle(
    topics.accountEventRecorded,
    messages.map((message) => ({ id: newId(), key: message.eventId, message, occurredAt: new Date(), trace: {} })),
  );
  return messages.map(({ eventId }) => eventId);
}
