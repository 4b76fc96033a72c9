import { authContract } from "../auth/contract.ts";
import { bindingsContract } from "../bindings/contract.ts";
import { forwarderContract } from "../forwarder/contract.ts";
import { ingressContract } from "../ingress/contract.ts";
import { mailboxContract } from "../mailbox/contract.ts";
import type { MailWaiters } from "../platform/concurrency/mail-waiters.ts";
import type { Client, StreamClient } from "../platform/rpc/contract.ts";
import type { Limit } from "../platform/security/rate-limits.ts";
import { webhookContract } from "../webhook/contract.ts";

/** The services that REST is a façade of. */
export const restNeeds = {
  auth: authContract,
  bindings: bindingsContract,
  forwarder: forwarderContract,
  ingress: ingressContract,
  mailbox: mailboxContract,
  webhook: webhookContract,
} as const;

/** The same as its endpoints call them, and what they build URLs from. */
export interface Services {
  auth: Client<typeof authContract>;
  bindings: Client<typeof bindingsContract>;
  forwarder: Client<typeof forwarderContract>;
  ingress: Client<typeof ingressContract>;
  mailbox: Client<typeof mailboxContract>;
  webhook: Client<typeof webhookContract>;
  mailboxStreams: StreamClient<typeof mailboxContract>;
  publicUrl: string;
  /** SERVICE_DOMAIN, where proxy addresses are issued. */
  serviceDomain: string;
  /** Addresses that one API key makes through the APIs of other services. */
  addressCreationLimit: Limit;
  /** Long bodies of a network whose callers are not known, which cost time to read. */
  longBodyLimit: Limit;
  /** Requests that wait for mail. */
  mailWaiters: MailWaiters;
}
