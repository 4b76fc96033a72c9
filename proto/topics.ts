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

/** What goes over one topic: its name on the bus, the one message it carries, who has to do with it, and how it is ordered. */
export interface Topic<Schema extends DescMessage = DescMessage> {
  readonly name: string;
  readonly schema: Schema;
  /** The services that publish it: a proto package names what its facts are about, which others may come to know as well. */
  readonly publishers: Services;
  /**
   * The services that consume it: a process that has them all may hand its events over without a broker. So of an unordered topic a service that comes
   * to consume it gets what is published once processes of the release before, which do not know of it, are gone.
   */
  readonly consumers: Services;
  /** Whether events with equal keys stay in order. Where not, consumers take them in whichever order they come. */
  readonly isOrdered: boolean;
  /** Decides the partition. */
  key(message: MessageShape<Schema>): string;
}

type Services = readonly [string, ...string[]];

/** The message that a topic carries. */
export type MessageOf<T extends Topic> = MessageShape<T["schema"]>;

type Shape<Schema extends DescMessage> = Pick<Topic<Schema>, "publishers" | "consumers" | "key">;

/** What happened to emails and the like: facts that bear their own time, and of which none undoes another. */
function unordered<Schema extends DescMessage>(name: string, schema: Schema, shape: Shape<Schema>): Topic<Schema> {
  return { name, schema, isOrdered: false, ...shape };
}

/** What changes a state: the last event of a key holds. */
function ordered<Schema extends DescMessage>(name: string, schema: Schema, shape: Shape<Schema>): Topic<Schema> {
  return { name, schema, isOrdered: true, ...shape };
}

/** Every topic. Mail is keyed by the email's id, not the binding's: one busy binding must not be one partition. */
export const topics = {
  mailAccepted: unordered("mail.accepted", MailAcceptedSchema, {
    publishers: ["ingress"],
    consumers: ["bindings", "forwarder", "mailbox"],
    key: (message) => message.emailId,
  }),
  answerAccepted: unordered("answer.accepted", AnswerAcceptedSchema, {
    publishers: ["ingress"],
    consumers: ["bindings", "forwarder", "mailbox"],
    key: (message) => message.emailId,
  }),
  mailReturned: unordered("mail.returned", MailReturnedSchema, {
    publishers: ["ingress"],
    consumers: ["forwarder"],
    key: (message) => message.emailId,
  }),
  complaintReceived: unordered("complaint.received", ComplaintReceivedSchema, {
    publishers: ["ingress"],
    consumers: ["forwarder"],
    key: (message) => message.emailId,
  }),
  mailStored: unordered("mail.stored", MailStoredSchema, {
    publishers: ["mailbox"],
    consumers: ["webhook"],
    key: (message) => message.emailId,
  }),
  mailReleased: unordered("mail.released", MailReleasedSchema, {
    publishers: ["mailbox", "forwarder"],
    consumers: ["ingress"],
    key: (message) => message.emailId,
  }),
  deliverySettled: unordered("delivery.settled", DeliverySettledSchema, {
    publishers: ["forwarder", "webhook"],
    consumers: ["mailbox"],
    key: (message) => message.emailId,
  }),
  deliveryDeferred: unordered("delivery.deferred", DeliveryDeferredSchema, {
    publishers: ["forwarder", "webhook"],
    consumers: ["mailbox"],
    key: (message) => message.emailId,
  }),
  deliveryComplained: unordered("delivery.complained", DeliveryComplainedSchema, {
    publishers: ["forwarder"],
    consumers: ["mailbox"],
    key: (message) => message.emailId,
  }),
  sendingSwitched: ordered("sending.switched", SendingSwitchedSchema, {
    publishers: ["forwarder"],
    consumers: ["bindings"],
    key: (message) => message.accountId,
  }),
  noticeRequested: unordered("notice.requested", NoticeRequestedSchema, {
    publishers: ["auth", "bindings", "forwarder", "webhook"],
    consumers: ["forwarder"],
    key: (message) => message.noticeId,
  }),
  accountOpened: ordered("account.opened", AccountOpenedSchema, {
    publishers: ["auth"],
    consumers: ["bindings"],
    key: (message) => message.accountId,
  }),
  accountDisabled: ordered("account.disabled", AccountDisabledSchema, {
    publishers: ["auth"],
    consumers: ["bindings", "forwarder", "webhook"],
    key: (message) => message.accountId,
  }),
  accountEnabled: ordered("account.enabled", AccountEnabledSchema, {
    publishers: ["auth"],
    consumers: ["bindings", "forwarder", "webhook"],
    key: (message) => message.accountId,
  }),
  accountClosed: ordered("account.closed", AccountClosedSchema, {
    publishers: ["auth"],
    consumers: ["bindings", "forwarder", "mailbox", "webhook"],
    key: (message) => message.accountId,
  }),
  accountStorage: ordered("account.storage", AccountStorageChangedSchema, {
    publishers: ["mailbox"],
    consumers: ["bindings"],
    key: (message) => message.accountId,
  }),
  // By the event, not the account: one busy account must not be one partition.
  accountEventRecorded: unordered("account.event.recorded", AccountEventRecordedSchema, {
    publishers: ["mailbox"],
    consumers: ["webhook"],
    key: (message) => message.eventId,
  }),
  addressVerified: ordered("address.verified", AddressVerifiedSchema, {
    publishers: ["bindings"],
    consumers: ["forwarder"],
    key: (message) => message.addressId,
  }),
  bindingMade: ordered("binding.made", BindingMadeSchema, {
    publishers: ["bindings"],
    consumers: ["mailbox"],
    key: (message) => message.bindingId,
  }),
  bindingRemoved: ordered("binding.removed", BindingRemovedSchema, {
    publishers: ["bindings"],
    consumers: ["mailbox", "webhook"],
    key: (message) => message.bindingId,
  }),
  // By its name: one account takes a domain over from another.
  domainChanged: ordered("domain.changed", DomainChangedSchema, {
    publishers: ["bindings"],
    consumers: ["forwarder"],
    key: (message) => message.name,
  }),
} as const;

/** The same as a list, for whoever creates them on the broker or carries them all. */
export const allTopics: readonly Topic[] = Object.values(topics);
