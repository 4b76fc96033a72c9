import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { AccountClosedSchema } from "./gen/postern/auth/v1/account_closed_pb.js";
import { AccountDisabledSchema } from "./gen/postern/auth/v1/account_disabled_pb.js";
import { AccountEnabledSchema } from "./gen/postern/auth/v1/account_enabled_pb.js";
import { AccountOpenedSchema } from "./gen/postern/auth/v1/account_opened_pb.js";
import { AddressVerifiedSchema } from "./gen/postern/bindings/v1/address_verified_pb.js";
import { BindingMadeSchema } from "./gen/postern/bindings/v1/binding_made_pb.js";
import { BindingRemovedSchema } from "./gen/postern/bindings/v1/binding_removed_pb.js";
import { DomainChangedSchema } from "./gen/postern/bindings/v1/domain_changed_pb.js";
import { DeliveryComplainedSchema } from "./gen/postern/forwarder/v1/delivery_complained_pb.js";
import { DeliveryDeferredSchema, DeliverySettledSchema } from "./gen/postern/forwarder/v1/delivery_pb.js";
import { NoticeRequestedSchema } from "./gen/postern/forwarder/v1/notice_requested_pb.js";
import { SendingSwitchedSchema } from "./gen/postern/forwarder/v1/sending_switched_pb.js";
import { AnswerAcceptedSchema } from "./gen/postern/ingress/v1/answer_accepted_pb.js";
import { ComplaintReceivedSchema } from "./gen/postern/ingress/v1/complaint_received_pb.js";
import { MailAcceptedSchema } from "./gen/postern/ingress/v1/mail_accepted_pb.js";
import { MailReturnedSchema } from "./gen/postern/ingress/v1/mail_returned_pb.js";
import { AccountEventRecordedSchema } from "./gen/postern/mailbox/v1/account_event_recorded_pb.js";
import { AccountStorageChangedSchema } from "./gen/postern/mailbox/v1/account_storage_changed_pb.js";
import { MailReleasedSchema } from "./gen/postern/mailbox/v1/mail_released_pb.js";
import { MailStoredSchema } from "./gen/postern/mailbox/v1/mail_stored_pb.js";

/** What goes over one topic: its name on the bus, the one message it carries, and the key that keeps order. */
export interface Topic<Schema extends DescMessage = DescMessage> {
  readonly name: string;
  readonly schema: Schema;
  /** The services that publish it: a proto package names what its facts are about, which others may come to know as well. */
  readonly publishers: readonly [string, ...string[]];
  /** Events with equal keys stay in order; the key decides the partition. */
  key(message: MessageShape<Schema>): string;
}

/** The message that a topic carries. */
export type MessageOf<T extends Topic> = MessageShape<T["schema"]>;

function topic<Schema extends DescMessage>(
  name: string,
  schema: Schema,
  publishers: Topic["publishers"],
  key: (message: MessageShape<Schema>) => string,
): Topic<Schema> {
  return { name, schema, publishers, key };
}

/** Every topic. Mail is keyed by the email's id, not the binding's: one busy binding must not be one partition. */
export const topics = {
  mailAccepted: topic("mail.accepted", MailAcceptedSchema, ["ingress"], (message) => message.emailId),
  answerAccepted: topic("answer.accepted", AnswerAcceptedSchema, ["ingress"], (message) => message.emailId),
  mailReturned: topic("mail.returned", MailReturnedSchema, ["ingress"], (message) => message.emailId),
  complaintReceived: topic("complaint.received", ComplaintReceivedSchema, ["ingress"], (message) => message.emailId),
  mailStored: topic("mail.stored", MailStoredSchema, ["mailbox"], (message) => message.emailId),
  mailReleased: topic("mail.released", MailReleasedSchema, ["mailbox", "forwarder"], (message) => message.emailId),
  deliverySettled: topic(
    "delivery.settled",
    DeliverySettledSchema,
    ["forwarder", "webhook"],
    (message) => message.emailId,
  ),
  deliveryDeferred: topic(
    "delivery.deferred",
    DeliveryDeferredSchema,
    ["forwarder", "webhook"],
    (message) => message.emailId,
  ),
  deliveryComplained: topic(
    "delivery.complained",
    DeliveryComplainedSchema,
    ["forwarder"],
    (message) => message.emailId,
  ),
  sendingSwitched: topic("sending.switched", SendingSwitchedSchema, ["forwarder"], (message) => message.accountId),
  noticeRequested: topic(
    "notice.requested",
    NoticeRequestedSchema,
    ["auth", "bindings", "forwarder", "webhook"],
    (message) => message.noticeId,
  ),
  accountOpened: topic("account.opened", AccountOpenedSchema, ["auth"], (message) => message.accountId),
  accountDisabled: topic("account.disabled", AccountDisabledSchema, ["auth"], (message) => message.accountId),
  accountEnabled: topic("account.enabled", AccountEnabledSchema, ["auth"], (message) => message.accountId),
  accountClosed: topic("account.closed", AccountClosedSchema, ["auth"], (message) => message.accountId),
  accountStorage: topic("account.storage", AccountStorageChangedSchema, ["mailbox"], (message) => message.accountId),
  // By the event, not the account: one busy account must not be one partition.
  accountEventRecorded: topic(
    "account.event.recorded",
    AccountEventRecordedSchema,
    ["mailbox"],
    (message) => message.eventId,
  ),
  addressVerified: topic("address.verified", AddressVerifiedSchema, ["bindings"], (message) => message.addressId),
  bindingMade: topic("binding.made", BindingMadeSchema, ["bindings"], (message) => message.bindingId),
  bindingRemoved: topic("binding.removed", BindingRemovedSchema, ["bindings"], (message) => message.bindingId),
  // By its name: one account takes a domain over from another.
  domainChanged: topic("domain.changed", DomainChangedSchema, ["bindings"], (message) => message.name),
} as const;

/** The same as a list, for whoever creates them on the broker or carries them all. */
export const allTopics: readonly Topic[] = Object.values(topics);
