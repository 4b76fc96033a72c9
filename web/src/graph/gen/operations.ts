// Made by `npm run web:operations` from web/operations; not to be edited.
import type { Operation } from "../operation.ts";

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateApiKeyInput = {
  /** 1 to 64 characters. */
  name: string;
  /** One or more of alias:create, alias:read, alias:write, mail:read, mail:send, admin. */
  scopes: Array<string>;
  /** What it creates and changes has to be on this domain. */
  domain?: string | null | undefined;
  /** What it creates and changes may lead to these targets alone: their ids (Query.targets), or their addresses. */
  targetIds?: Array<string> | null | undefined;
  expiresAt?: string | null | undefined;
};

export type SignUpPolicy =
  /** Anybody. */
  | 'OPEN'
  /** Holders of an invitation. */
  | 'INVITE'
  /** Nobody but an operator. */
  | 'CLOSED';

export type PatternInput = {
  glob: string;
  /** Verified real addresses of the caller. 10 at most. */
  targets?: Array<string>;
  creates?: boolean;
  perHour?: number;
};

export type DomainState =
  | 'unverified'
  | 'verified'
  /** Its records are gone for a day and more. Mail that reaches the service is still taken. */
  | 'broken'
  /** Another account has proved it since. */
  | 'removed';

export type DomainKeyStage =
  /** Signs once its record is found. */
  | 'current'
  /** Takes the place of the current one once its record is found and its moment has come. */
  | 'next'
  /** Signed mail that may still be under way. */
  | 'former';

export type ImportInput = {
  source: ImportSource;
  /** What the file holds; for all but simplelogin_api. */
  content?: string | null | undefined;
  /** For simplelogin_api: where SimpleLogin is, and an API key of it. The key is forgotten once the list was read. */
  baseUrl?: string | null | undefined;
  key?: string | null | undefined;
};

export type ImportSource =
  /** SimpleLogin's CSV file: alias,note,enabled,mailboxes. */
  | 'simplelogin'
  | 'simplelogin_api'
  /** addy.io's CSV file. */
  | 'addy'
  /** Firefox Relay's CSV file. */
  | 'relay'
  /** Postern's own export. */
  | 'postern';

export type ImportState =
  /** From another service's API. */
  | 'reading'
  /** Read and checked; nothing is made yet. */
  | 'checked'
  /** Being made. */
  | 'waiting'
  | 'done'
  /** It could not be read, or the making of it ended: see fault. */
  | 'failed';

export type ImportKind =
  | 'domain'
  | 'address'
  | 'patterns'
  | 'contact'
  | 'rule';

export type ImportVerdict =
  /** It keeps its address, unless that is somebody else's. */
  | 'same'
  /** It gets a new address. */
  | 'new'
  /** The caller has it already; it stays as it is. */
  | 'exists'
  | 'refused';

export type ImportRowState =
  | 'waiting'
  | 'done'
  /** It would have got a new address. */
  | 'left'
  | 'refused';

export type RuleVerdict =
  | 'pass'
  | 'fail'
  /** Nothing is published, or signed. */
  | 'none'
  /** DNS could not tell, or the author or the record cannot be read. */
  | 'unknown';

export type CreateRuleInput = {
  bindingId?: string | null | undefined;
  domainId?: string | null | undefined;
  /** Absent: the last of its scope. */
  position?: number | null | undefined;
  name?: string | null | undefined;
  conditions?: RuleConditionsInput | null | undefined;
  actions?: RuleActionsInput | null | undefined;
  expiresAt?: string | null | undefined;
};

export type UpdateRuleInput = {
  name?: string | null | undefined;
  conditions?: RuleConditionsInput | null | undefined;
  actions?: RuleActionsInput | null | undefined;
  /** Null: never. */
  expiresAt?: string | null | undefined;
};

/** 50 values of each condition at most. */
export type RuleConditionsInput = {
  senders?: Array<string> | null | undefined;
  clientNetworks?: Array<string> | null | undefined;
  tags?: Array<string> | null | undefined;
  from?: Array<string> | null | undefined;
  dmarc?: Array<RuleVerdict> | null | undefined;
  dkim?: Array<RuleVerdict> | null | undefined;
  subjectContains?: Array<string> | null | undefined;
  listIds?: Array<string> | null | undefined;
  largerThan?: number | null | undefined;
  smallerThan?: number | null | undefined;
};

export type RuleActionsInput = {
  refuse?: boolean | null | undefined;
  discard?: boolean | null | undefined;
  /** 40 characters at most. */
  tagSubject?: string | null | undefined;
  /** Verified real addresses of the caller. 10 at most. */
  forwardTo?: Array<string> | null | undefined;
  callbackOnly?: boolean | null | undefined;
  keepOnly?: boolean | null | undefined;
  limitPerHour?: number | null | undefined;
};

export type Sort =
  /** Oldest first. */
  | 'ASC'
  /** Newest first. */
  | 'DESC';

/** What a list of proxy bindings is sorted by; where two are alike, age decides. */
export type ProxyBindingOrder =
  | 'CREATED'
  | 'ADDRESS'
  /** By how many emails came. */
  | 'RECEIVED'
  /** By when mail last came. */
  | 'LAST_RECEIVED';

export type CreateProxyBindingInput = {
  /** Absent, null or empty: one is made up. */
  proxyAddress?: string | null | undefined;
  /** Absent or empty: one of the reserved internal domain is made up. 10 at most. */
  realAddresses?: Array<string> | null | undefined;
  /** An absolute http or https URL. */
  callbackUrl?: string | null | undefined;
  isBrowsable?: boolean | null | undefined;
  description?: string | null | undefined;
  answers?: boolean | null | undefined;
  displayName?: string | null | undefined;
  answersStrangers?: boolean | null | undefined;
  sendsEncrypted?: boolean | null | undefined;
};

export type UpdateProxyBindingInput = {
  /** The whole new set: an address left out is removed, one that stays keeps its verification, a new one is sent a link. */
  realAddresses?: Array<RealAddressInput> | null | undefined;
  /** Empty or null unsets it. */
  callbackUrl?: string | null | undefined;
  isBrowsable?: boolean | null | undefined;
  description?: string | null | undefined;
  answers?: boolean | null | undefined;
  displayName?: string | null | undefined;
  answersStrangers?: boolean | null | undefined;
  sendsEncrypted?: boolean | null | undefined;
};

export type RealAddressInput = {
  address: string;
  isEnabled?: boolean;
  /** Absent: as it is; at first false. */
  spfSuffices?: boolean | null | undefined;
};

export type EmailFilter = {
  bindingId?: string | null | undefined;
  isUnread?: boolean | null | undefined;
  /** Whether its content is kept to be read. */
  isKept?: boolean | null | undefined;
  /** With a target that is one of these. */
  undelivered?: Array<Undelivered> | null | undefined;
  /** With a target that could not be delivered to yet for one of these reasons. */
  failureReasons?: Array<FailureReason> | null | undefined;
  /** Received at this moment or later. */
  since?: string | null | undefined;
};

/** How far a target of an email is that is not delivered. */
export type Undelivered =
  /** Given up or bounced. */
  | 'FAILED'
  /** To be tried again. */
  | 'RETRYING'
  /** Until the address is verified, or its owner sends it. */
  | 'HELD';

/** Why an attempt to deliver failed. */
export type FailureReason =
  /** The address or its domain does not exist, is disabled, or takes nothing from us. */
  | 'RECIPIENT'
  /** The mailbox is full or busy. */
  | 'MAILBOX'
  /** This service is refused or slowed down as a sender. */
  | 'SENDER'
  /** The email itself is refused: as spam, too large, or malformed. */
  | 'CONTENT'
  /** The server was in trouble, or could not be reached. */
  | 'SERVER'
  /** The callback was not answered by 2xx. */
  | 'WEBHOOK'
  /** Anything else, and what was not said. */
  | 'OTHER';

export type BlockScope =
  /** The proxy address that the email came to. */
  | 'BINDING'
  /** All of the account. */
  | 'ACCOUNT';

/** Of all mail of the caller unless a proxy binding or a domain is named. */
export type RuleDryRunInput = {
  bindingId?: string | null | undefined;
  domainId?: string | null | undefined;
  conditions?: RuleConditionsInput | null | undefined;
};

/** Which way an email goes. */
export type Direction =
  /** From outside to the proxy address. */
  | 'FORWARD'
  /** From its owner to a contact, by a reverse address. */
  | 'ANSWER'
  /** Composed by its owner through the API. */
  | 'SEND';

export type AccountWebhookInput = {
  /** Absolute, http or https. */
  url: string;
  /** email.arrived, delivery.settled, delivery.bounced, address.made, address.removed; none: all. */
  kinds?: Array<string> | null | undefined;
  /** Of these proxy bindings alone, 100 at most; none: of all. */
  bindingIds?: Array<string> | null | undefined;
};

export type WebhookCallState =
  | 'WAITING'
  | 'DELIVERED'
  | 'GIVEN_UP'
  | 'CANCELLED';

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, username: string, isUsernameVerified: boolean, twoFactorEnabled: boolean, isOperator: boolean, quota: { used: number, available: number } | null, storage: { usedMb: number, limitMb: number | null } | null } | null };

export type WhoMaySignUpQueryVariables = Exact<{ [key: string]: never; }>;


export type WhoMaySignUpQuery = { signUpPolicy: SignUpPolicy | null };

export type SignInMutationVariables = Exact<{
  username: string;
  password: string;
}>;


export type SignInMutation = { signIn: { isSecondFactorRequired: boolean } | null };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: { isSignedOut: boolean } | null };

export type ConfirmSecondFactorMutationVariables = Exact<{
  code: string;
}>;


export type ConfirmSecondFactorMutation = { confirmSecondFactor: { recoveryCodes: Array<string> | null } | null };

export type SignUpMutationVariables = Exact<{
  username: string;
  password: string;
  invitation?: string | null | undefined;
}>;


export type SignUpMutation = { signUp: { expiresAt: string } | null };

export type ResendConfirmationMutationVariables = Exact<{ [key: string]: never; }>;


export type ResendConfirmationMutation = { resendConfirmation: { isSent: boolean } | null };

export type RequestPasswordResetMutationVariables = Exact<{
  username: string;
}>;


export type RequestPasswordResetMutation = { requestPasswordReset: { isAccepted: boolean } | null };

export type BeginPasskeySignInMutationVariables = Exact<{ [key: string]: never; }>;


export type BeginPasskeySignInMutation = { beginPasskeySignIn: { optionsJson: string } | null };

export type FinishPasskeySignInMutationVariables = Exact<{
  responseJson: string;
}>;


export type FinishPasskeySignInMutation = { finishPasskeySignIn: { isSecondFactorRequired: boolean } | null };

export type BindingFragment = { id: string, proxyAddress: string, description: string, callbackUrl: string, isBrowsable: boolean, isAutomatic: boolean, receivedEmails: number, lastReceivedAt: string | null, usedOn: Array<string>, answers: boolean, displayName: string, answersStrangers: boolean, sendsEncrypted: boolean, refusedEmails: number, createdAt: string, mail: { failed: number } | null, lastRefusal: { at: string, reason: string } | null, realAddresses: Array<{ address: string, isEnabled: boolean, isVerified: boolean, isVerificationNeeded: boolean, suspendedAt: string | null, spfSuffices: boolean }> };

export type ProxyBindingsQueryVariables = Exact<{
  after?: string | null | undefined;
  search?: string | null | undefined;
  sort?: Sort | null | undefined;
  order?: ProxyBindingOrder | null | undefined;
  isOn?: boolean | null | undefined;
  domain?: string | null | undefined;
}>;


export type ProxyBindingsQuery = { proxyBindings: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<BindingFragment> } | null };

export type AddressNamesQueryVariables = Exact<{
  search?: string | null | undefined;
  first?: number | null | undefined;
}>;


export type AddressNamesQuery = { proxyBindings: { nodes: Array<{ id: string, proxyAddress: string, description: string }> } | null };

export type ProxyBindingQueryVariables = Exact<{
  id: string;
}>;


export type ProxyBindingQuery = { proxyBinding: BindingFragment | null };

export type CreateProxyBindingMutationVariables = Exact<{
  input: CreateProxyBindingInput;
}>;


export type CreateProxyBindingMutation = { createProxyBinding: { isCreated: boolean, isVerificationSent: boolean, proxyBinding: BindingFragment } | null };

export type UpdateProxyBindingMutationVariables = Exact<{
  id: string;
  input: UpdateProxyBindingInput;
}>;


export type UpdateProxyBindingMutation = { updateProxyBinding: { isVerificationSent: boolean, proxyBinding: BindingFragment } | null };

export type SwitchProxyBindingMutationVariables = Exact<{
  id: string;
  isEnabled: boolean;
}>;


export type SwitchProxyBindingMutation = { switchProxyBinding: { proxyBinding: BindingFragment } | null };

export type SetUsedOnMutationVariables = Exact<{
  id: string;
  usedOn: Array<string> | string;
}>;


export type SetUsedOnMutation = { setUsedOn: { proxyBinding: BindingFragment } | null };

export type DeleteProxyBindingMutationVariables = Exact<{
  id: string;
}>;


export type DeleteProxyBindingMutation = { deleteProxyBinding: { id: string } | null };

export type ResendVerificationMutationVariables = Exact<{
  proxyBindingId: string;
  address: string;
}>;


export type ResendVerificationMutation = { resendVerification: { proxyBinding: { id: string } } | null };

export type TestCallbackMutationVariables = Exact<{
  proxyBindingId: string;
}>;


export type TestCallbackMutation = { testCallback: { url: string, isSuccess: boolean, status: number | null, durationMs: number, failure: string | null } | null };

export type SuggestedProxyAddressQueryVariables = Exact<{ [key: string]: never; }>;


export type SuggestedProxyAddressQuery = { suggestedProxyAddress: string | null };

export type ShownCountsFragment = { received: number, failed: number, unread: number, days: Array<{ day: string, received: number, delivered: number, failed: number }> };

export type AccountMailQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountMailQuery = { me: { id: string, mail: ShownCountsFragment | null } | null };

export type AddressMailQueryVariables = Exact<{
  id: string;
}>;


export type AddressMailQuery = { proxyBinding: { id: string, mail: ShownCountsFragment | null } | null };

export type ShownContactFragment = { id: string, address: string, name: string, reverseAddress: string, isBlocked: boolean, received: number, sent: number, lastSeenAt: string };

export type ContactsQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
  search?: string | null | undefined;
}>;


export type ContactsQuery = { proxyBinding: { id: string, contacts: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<ShownContactFragment> } | null } | null };

export type CreateContactMutationVariables = Exact<{
  bindingId: string;
  address: string;
  name?: string | null | undefined;
}>;


export type CreateContactMutation = { createContact: { contact: ShownContactFragment } | null };

export type UpdateContactMutationVariables = Exact<{
  id: string;
  name?: string | null | undefined;
  isBlocked?: boolean | null | undefined;
}>;


export type UpdateContactMutation = { updateContact: { contact: ShownContactFragment } | null };

export type DeleteContactMutationVariables = Exact<{
  id: string;
}>;


export type DeleteContactMutation = { deleteContact: { id: string } | null };

export type ListedDomainFragment = { id: string, name: string, state: DomainState, checkedAt: string | null, failingSince: string | null };

export type ShownDomainFragment = (
  { patterns: Array<{ glob: string, targets: Array<string>, creates: boolean, perHour: number }> | null, records: Array<{ name: string, type: string, expected: string, found: string, verdict: string, keyStage: DomainKeyStage | null, keepUntil: string | null }> }
  & ListedDomainFragment
);

export type DomainsQueryVariables = Exact<{ [key: string]: never; }>;


export type DomainsQuery = { domains: Array<ListedDomainFragment> | null };

export type DomainQueryVariables = Exact<{
  id: string;
}>;


export type DomainQuery = { domain: ShownDomainFragment | null };

export type AddDomainMutationVariables = Exact<{
  name: string;
}>;


export type AddDomainMutation = { addDomain: ListedDomainFragment | null };

export type CheckDomainMutationVariables = Exact<{
  id: string;
}>;


export type CheckDomainMutation = { checkDomain: ShownDomainFragment | null };

export type RotateDomainKeysMutationVariables = Exact<{
  id: string;
}>;


export type RotateDomainKeysMutation = { rotateDomainKeys: ShownDomainFragment | null };

export type RemoveDomainMutationVariables = Exact<{
  id: string;
}>;


export type RemoveDomainMutation = { removeDomain: { id: string } | null };

export type SetPatternsMutationVariables = Exact<{
  domainId: string;
  patterns: Array<PatternInput> | PatternInput;
}>;


export type SetPatternsMutation = { setPatterns: ShownDomainFragment | null };

export type EmailQueryVariables = Exact<{
  id: string;
}>;


export type EmailQuery = { receivedEmail: { id: string, recipient: string, envelopeRecipient: string | null, sender: string, subject: string | null, text: string | null, html: string | null, isHtml: boolean | null, sourceUrl: string, isTruncated: boolean, isProcessed: boolean, isUnread: boolean, isKept: boolean, fromName: string | null, fromAddress: string | null, direction: Direction, codes: Array<string> | null, links: Array<string> | null, olderId: string | null, newerId: string | null, receivedAt: string, binding: { id: string, proxyAddress: string, isBrowsable: boolean, answers: boolean } | null, headers: Array<{ name: string, value: string }> | null, attachments: Array<{ filename: string, mime: string, sizeBytes: number, contentId: string | null, url: string }> | null, timeline: Array<{ at: string, kind: string, target: string | null, detail: string | null }> | null, deliveries: Array<{ realAddress: string, state: string, nextAttemptAt: string | null, attempts: Array<{ at: string, response: string | null }> }> | null, callback: { url: string, state: string, nextAttemptAt: string | null, attempts: Array<{ at: string, status: number | null, durationMs: number | null, failure: string | null, exchange: { requestBytes: number, responseBody: string, requestHeaders: Array<{ name: string, value: string }>, responseHeaders: Array<{ name: string, value: string }> } | null }> } | null } | null };

export type DeleteEmailMutationVariables = Exact<{
  id: string;
}>;


export type DeleteEmailMutation = { deleteEmail: { id: string } | null };

export type RetryDeliveryMutationVariables = Exact<{
  emailId: string;
  realAddress: string;
}>;


export type RetryDeliveryMutation = { retryDelivery: { receivedEmail: { id: string } | null } | null };

export type RetryCallbackMutationVariables = Exact<{
  emailId: string;
}>;


export type RetryCallbackMutation = { retryCallback: { receivedEmail: { id: string } | null } | null };

export type ShownImportFragment = { id: string, source: ImportSource, state: ImportState, fault: string, progress: number, total: number, done: number, createdAt: string };

export type ImportsQueryVariables = Exact<{ [key: string]: never; }>;


export type ImportsQuery = { imports: Array<ShownImportFragment> | null };

export type ImportQueryVariables = Exact<{
  id: string;
  after?: number | null | undefined;
}>;


export type ImportQuery = { importJob: (
    { rows: Array<{ position: number, kind: ImportKind, old: string, new: string | null, verdict: ImportVerdict, state: ImportRowState, detail: string }> | null }
    & ShownImportFragment
  ) | null };

export type ImportDryRunMutationVariables = Exact<{
  input: ImportInput;
}>;


export type ImportDryRunMutation = { importDryRun: ShownImportFragment | null };

export type StartImportMutationVariables = Exact<{
  id: string;
  makesNewAddresses: boolean;
}>;


export type StartImportMutation = { startImport: ShownImportFragment | null };

export type MailQueryVariables = Exact<{
  after?: string | null | undefined;
  search?: string | null | undefined;
  filter?: EmailFilter | null | undefined;
}>;


export type MailQuery = { emails: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, sender: string, fromName: string | null, fromAddress: string | null, subject: string | null, preview: string | null, direction: Direction, isUnread: boolean, isKept: boolean, isProcessed: boolean, receivedAt: string, recipient: string, envelopeRecipient: string | null, attachments: Array<{ filename: string }> | null, outcomes: { expected: number, delivered: number, failed: number, retrying: number, held: number, nextAttemptAt: string | null, failureReasons: Array<FailureReason> } }> } | null, me: { id: string, mail: { unread: number } | null } | null };

export type MarkEmailsMutationVariables = Exact<{
  ids: Array<string> | string;
  isUnread: boolean;
}>;


export type MarkEmailsMutation = { markEmails: { receivedEmails: Array<{ id: string }> } | null };

export type MarkAllReadMutationVariables = Exact<{
  bindingId?: string | null | undefined;
}>;


export type MarkAllReadMutation = { markAllRead: { count: number } | null };

export type FailedEmailsQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: EmailFilter | null | undefined;
}>;


export type FailedEmailsQuery = { emails: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, isKept: boolean, isProcessed: boolean }> } | null };

export type RetryDeliveriesMutationVariables = Exact<{
  emailIds: Array<string> | string;
}>;


export type RetryDeliveriesMutation = { retryDeliveries: { count: number } | null };

export type RetryCallbacksMutationVariables = Exact<{
  emailIds: Array<string> | string;
}>;


export type RetryCallbacksMutation = { retryCallbacks: { count: number } | null };

export type NoticesQueryVariables = Exact<{ [key: string]: never; }>;


export type NoticesQuery = { arrived: { nodes: Array<{ id: string, fromName: string | null, fromAddress: string | null, sender: string, subject: string | null, isKept: boolean }> } | null, failed: { nodes: Array<{ id: string, fromName: string | null, fromAddress: string | null, sender: string, subject: string | null, isKept: boolean }> } | null };

export type OperatedAccountFragment = { id: string, username: string, isDisabled: boolean, isUsernameVerified: boolean, isOperator: boolean, twoFactorEnabled: boolean, lastSignInAt: string | null, createdAt: string };

export type OperatorAccountsQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type OperatorAccountsQuery = { operator: { id: string, accounts: Array<OperatedAccountFragment> | null } | null };

export type SetAccountDisabledMutationVariables = Exact<{
  id: string;
  isDisabled: boolean;
}>;


export type SetAccountDisabledMutation = { setAccountDisabled: { account: { id: string, isDisabled: boolean } } | null };

export type DestinationFragment = { domain: string, waiting: number, oldestAt: string | null, pausedAt: string | null };

export type OperatorQueuesQueryVariables = Exact<{ [key: string]: never; }>;


export type OperatorQueuesQuery = { operator: { id: string, destinations: Array<DestinationFragment> | null } | null };

export type RetryDestinationMutationVariables = Exact<{
  domain: string;
}>;


export type RetryDestinationMutation = { retryDestination: { count: number } | null };

export type SetDestinationPausedMutationVariables = Exact<{
  domain: string;
  isPaused: boolean;
}>;


export type SetDestinationPausedMutation = { setDestinationPaused: { domain: string } | null };

export type DeadEventFragment = { id: string, consumer: string, topic: string, diedAt: string, error: string, resendAskedAt: string | null };

export type OperatorDeadEventsQueryVariables = Exact<{ [key: string]: never; }>;


export type OperatorDeadEventsQuery = { operator: { id: string, authDeadEvents: Array<DeadEventFragment> | null, bindingsDeadEvents: Array<DeadEventFragment> | null, mailboxDeadEvents: Array<DeadEventFragment> | null, forwarderDeadEvents: Array<DeadEventFragment> | null, webhookDeadEvents: Array<DeadEventFragment> | null } | null };

export type ResendAuthDeadEventsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ResendAuthDeadEventsMutation = { resendAuthDeadEvents: { count: number } | null };

export type ResendBindingsDeadEventsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ResendBindingsDeadEventsMutation = { resendBindingsDeadEvents: { count: number } | null };

export type ResendMailboxDeadEventsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ResendMailboxDeadEventsMutation = { resendMailboxDeadEvents: { count: number } | null };

export type ResendForwarderDeadEventsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ResendForwarderDeadEventsMutation = { resendForwarderDeadEvents: { count: number } | null };

export type ResendWebhookDeadEventsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ResendWebhookDeadEventsMutation = { resendWebhookDeadEvents: { count: number } | null };

export type OperatorDomainsQueryVariables = Exact<{
  name?: string | null | undefined;
}>;


export type OperatorDomainsQuery = { operator: { id: string, domains: Array<{ id: string, name: string, ownerId: string, state: DomainState, checkedAt: string | null, failingSince: string | null }> | null } | null };

export type OperatorActionsQueryVariables = Exact<{ [key: string]: never; }>;


export type OperatorActionsQuery = { operator: { id: string, actions: Array<{ id: string, at: string, operator: string, action: string, account: string }> | null } | null };

export type RecordersQueryVariables = Exact<{ [key: string]: never; }>;


export type RecordersQuery = { recorders: Array<{ id: string, callUrl: string, createdAt: string, calls: Array<{ method: string, at: string }> | null }> | null };

export type RecorderQueryVariables = Exact<{
  id: string;
}>;


export type RecorderQuery = { recorder: { id: string, callUrl: string, getUrl: string, createdAt: string, calls: Array<{ method: string, body: string | null, isTruncated: boolean, at: string }> | null } | null };

export type CreateRecorderMutationVariables = Exact<{ [key: string]: never; }>;


export type CreateRecorderMutation = { createRecorder: { recorder: { id: string } } | null };

export type DeleteRecorderMutationVariables = Exact<{
  id: string;
}>;


export type DeleteRecorderMutation = { deleteRecorder: { id: string } | null };

export type ShownRuleFragment = { id: string, name: string, title: string, position: number, hits: number, lastHitAt: string | null, expiresAt: string | null, binding: { id: string, proxyAddress: string } | null, domain: { id: string, name: string } | null, conditions: { senders: Array<string> | null, clientNetworks: Array<string> | null, tags: Array<string> | null, from: Array<string> | null, dmarc: Array<RuleVerdict> | null, dkim: Array<RuleVerdict> | null, subjectContains: Array<string> | null, listIds: Array<string> | null, largerThan: number | null, smallerThan: number | null }, actions: { refuse: boolean, discard: boolean, tagSubject: string | null, forwardTo: Array<string>, callbackOnly: boolean, keepOnly: boolean, limitPerHour: number | null } };

export type RulesQueryVariables = Exact<{
  bindingId?: string | null | undefined;
  domainId?: string | null | undefined;
}>;


export type RulesQuery = { rules: Array<ShownRuleFragment> | null };

export type CreateRuleMutationVariables = Exact<{
  input: CreateRuleInput;
}>;


export type CreateRuleMutation = { createRule: { rule: ShownRuleFragment } | null };

export type UpdateRuleMutationVariables = Exact<{
  id: string;
  input: UpdateRuleInput;
}>;


export type UpdateRuleMutation = { updateRule: { rule: ShownRuleFragment } | null };

export type MoveRuleMutationVariables = Exact<{
  id: string;
  position: number;
}>;


export type MoveRuleMutation = { moveRule: { rule: ShownRuleFragment } | null };

export type DeleteRuleMutationVariables = Exact<{
  id: string;
}>;


export type DeleteRuleMutation = { deleteRule: { id: string } | null };

export type BlockSenderMutationVariables = Exact<{
  emailId: string;
  scope: BlockScope;
}>;


export type BlockSenderMutation = { blockSender: { rule: { id: string } } | null };

export type RuleDryRunQueryVariables = Exact<{
  input: RuleDryRunInput;
}>;


export type RuleDryRunQuery = { ruleDryRun: { emailsChecked: number, matched: number, undecided: number, isComplete: boolean, emails: Array<{ id: string, subject: string | null, fromName: string | null, fromAddress: string | null, sender: string, isKept: boolean, receivedAt: string }> } | null };

export type ApiTokenQueryVariables = Exact<{ [key: string]: never; }>;


export type ApiTokenQuery = { me: { id: string, apiToken: string | null } | null };

export type WebhookSecretQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookSecretQuery = { me: { id: string, webhookSecret: string | null } | null };

export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { me: { id: string, sessions: Array<{ id: string, browser: string | null, clientAddress: string, isCurrent: boolean, createdAt: string, expiresAt: string }> | null } | null };

export type RotateApiTokenMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateApiTokenMutation = { rotateApiToken: { apiToken: string } | null };

export type RotateWebhookSecretMutationVariables = Exact<{ [key: string]: never; }>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { webhookSecret: string } | null };

export type RevokeSessionMutationVariables = Exact<{
  id: string;
}>;


export type RevokeSessionMutation = { revokeSession: { id: string } | null };

export type RevokeOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type RevokeOtherSessionsMutation = { revokeOtherSessions: { count: number } | null };

export type EnableTwoFactorMutationVariables = Exact<{ [key: string]: never; }>;


export type EnableTwoFactorMutation = { enableTwoFactor: { secret: string, uri: string } | null };

export type DisableTwoFactorMutationVariables = Exact<{
  code: string;
}>;


export type DisableTwoFactorMutation = { disableTwoFactor: { account: { id: string, twoFactorEnabled: boolean } } | null };

export type ChangePasswordMutationVariables = Exact<{
  currentPassword: string;
  newPassword: string;
  revokeKeys: boolean;
}>;


export type ChangePasswordMutation = { changePassword: { account: { id: string } } | null };

export type DeleteAccountMutationVariables = Exact<{
  password: string;
}>;


export type DeleteAccountMutation = { deleteAccount: { id: string } | null };

export type PasskeysQueryVariables = Exact<{ [key: string]: never; }>;


export type PasskeysQuery = { me: { id: string, passkeys: Array<{ id: string, name: string, isBackedUp: boolean, createdAt: string, lastUsedAt: string | null }> | null } | null };

export type ProveByPasswordMutationVariables = Exact<{
  password: string;
}>;


export type ProveByPasswordMutation = { proveByPassword: { isProven: boolean } | null };

export type BeginPasskeyProofMutationVariables = Exact<{ [key: string]: never; }>;


export type BeginPasskeyProofMutation = { beginPasskeyProof: { optionsJson: string } | null };

export type FinishPasskeyProofMutationVariables = Exact<{
  responseJson: string;
}>;


export type FinishPasskeyProofMutation = { finishPasskeyProof: { isProven: boolean } | null };

export type BeginPasskeyRegistrationMutationVariables = Exact<{ [key: string]: never; }>;


export type BeginPasskeyRegistrationMutation = { beginPasskeyRegistration: { optionsJson: string } | null };

export type FinishPasskeyRegistrationMutationVariables = Exact<{
  responseJson: string;
  name: string;
}>;


export type FinishPasskeyRegistrationMutation = { finishPasskeyRegistration: { passkey: { id: string } } | null };

export type RenamePasskeyMutationVariables = Exact<{
  id: string;
  name: string;
}>;


export type RenamePasskeyMutation = { renamePasskey: { passkey: { id: string } } | null };

export type RemovePasskeyMutationVariables = Exact<{
  id: string;
}>;


export type RemovePasskeyMutation = { removePasskey: { id: string } | null };

export type ApiKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type ApiKeysQuery = { apiKeys: Array<ListedApiKeyFragment> | null };

export type ListedApiKeyFragment = { id: string, name: string, scopes: Array<string>, expiresAt: string | null, lastUsedAt: string | null, createdAt: string };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { createApiKey: { key: string, apiKey: ListedApiKeyFragment } | null };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeApiKeyMutation = { revokeApiKey: { id: string } | null };

export type AccountWebhookQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountWebhookQuery = { accountWebhook: { url: string, kinds: Array<string>, offAt: string | null, offReason: string | null } | null };

export type WebhookCallsQueryVariables = Exact<{
  after?: string | null | undefined;
  states?: Array<WebhookCallState> | WebhookCallState | null | undefined;
  bindingId?: string | null | undefined;
}>;


export type WebhookCallsQuery = { accountWebhook: { failedCallCount: number | null, calls: { nodes: Array<{ id: string, kind: string, at: string, address: string | null, body: string, state: string, nextAttemptAt: string | null, email: { id: string, subject: string | null, recipient: string, envelopeRecipient: string | null, isKept: boolean } | null, attempts: Array<{ at: string, status: number | null, durationMs: number | null, failure: string | null, exchange: { requestBytes: number, responseBody: string, requestHeaders: Array<{ name: string, value: string }>, responseHeaders: Array<{ name: string, value: string }> } | null }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type SetAccountWebhookMutationVariables = Exact<{
  input: AccountWebhookInput;
}>;


export type SetAccountWebhookMutation = { setAccountWebhook: { accountWebhook: { url: string } } | null };

export type RemoveAccountWebhookMutationVariables = Exact<{ [key: string]: never; }>;


export type RemoveAccountWebhookMutation = { removeAccountWebhook: { isRemoved: boolean } | null };

export type TestAccountWebhookMutationVariables = Exact<{ [key: string]: never; }>;


export type TestAccountWebhookMutation = { testAccountWebhook: { url: string, isSuccess: boolean, status: number | null, durationMs: number, failure: string | null } | null };

export type RetryWebhookCallsMutationVariables = Exact<{
  ids?: Array<string> | string | null | undefined;
  states?: Array<WebhookCallState> | WebhookCallState | null | undefined;
  bindingId?: string | null | undefined;
}>;


export type RetryWebhookCallsMutation = { retryWebhookCalls: { count: number } | null };

export const Me: Operation<MeQuery, MeQueryVariables> = {
  "name": "Me",
  "hash": "32568016db4bbdcda4b7cd4fcff064417e56c82335baef5de657ccbd081153b5",
  "text": "query Me{me{id username isUsernameVerified twoFactorEnabled isOperator quota{used available}storage{usedMb limitMb}}}"
};

export const WhoMaySignUp: Operation<WhoMaySignUpQuery, WhoMaySignUpQueryVariables> = {
  "name": "WhoMaySignUp",
  "hash": "da861ed364e2f409ccb0ec8a50882e1eca1b6a3e64e3f3775f36f1e2fc901207",
  "text": "query WhoMaySignUp{signUpPolicy}"
};

export const SignIn: Operation<SignInMutation, SignInMutationVariables> = {
  "name": "SignIn",
  "hash": "539c3887719c6f3aeb3857f0b5db4268e2075bda42b3c2fb3bf68a6b5acf472a",
  "text": "mutation SignIn($username:String!$password:String!){signIn(username:$username password:$password session:true){isSecondFactorRequired}}"
};

export const SignOut: Operation<SignOutMutation, SignOutMutationVariables> = {
  "name": "SignOut",
  "hash": "15f00863793aad73953f17a165a2532a1f3b442a6ada80ed7aa1a03723f77aee",
  "text": "mutation SignOut{signOut{isSignedOut}}"
};

export const ConfirmSecondFactor: Operation<ConfirmSecondFactorMutation, ConfirmSecondFactorMutationVariables> = {
  "name": "ConfirmSecondFactor",
  "hash": "9c8daec16374cefaa81be484ba0db0c38ccfd76924965d7524301b831fefa55c",
  "text": "mutation ConfirmSecondFactor($code:String!){confirmSecondFactor(code:$code){recoveryCodes}}"
};

export const SignUp: Operation<SignUpMutation, SignUpMutationVariables> = {
  "name": "SignUp",
  "hash": "f43d28d8c6326c5ef91a0aa19775f35a6cb8cb1ffc1a77fce5f97be3cc955152",
  "text": "mutation SignUp($username:String!$password:String!$invitation:String){signUp(username:$username password:$password invitation:$invitation){expiresAt}}"
};

export const ResendConfirmation: Operation<ResendConfirmationMutation, ResendConfirmationMutationVariables> = {
  "name": "ResendConfirmation",
  "hash": "f6a4b53f2efbf7d52bd70013324a72c75f65575d2f3b385792e6d9fc6c3e9d08",
  "text": "mutation ResendConfirmation{resendConfirmation{isSent}}"
};

export const RequestPasswordReset: Operation<RequestPasswordResetMutation, RequestPasswordResetMutationVariables> = {
  "name": "RequestPasswordReset",
  "hash": "a095380fcb52fd8cf50630939d0dd8493330ccd95b555ce78ec685a9225cf892",
  "text": "mutation RequestPasswordReset($username:String!){requestPasswordReset(username:$username){isAccepted}}"
};

export const BeginPasskeySignIn: Operation<BeginPasskeySignInMutation, BeginPasskeySignInMutationVariables> = {
  "name": "BeginPasskeySignIn",
  "hash": "ace846ae4835959d0bc994fbb04713bc520c8b86d3d365078a69e823844aef9f",
  "text": "mutation BeginPasskeySignIn{beginPasskeySignIn{optionsJson}}"
};

export const FinishPasskeySignIn: Operation<FinishPasskeySignInMutation, FinishPasskeySignInMutationVariables> = {
  "name": "FinishPasskeySignIn",
  "hash": "6965de72940390c7e56d22102ed5ecacc6533a825ddf036ddb960e35d06edd5e",
  "text": "mutation FinishPasskeySignIn($responseJson:String!){finishPasskeySignIn(responseJson:$responseJson session:true){isSecondFactorRequired}}"
};

export const ProxyBindings: Operation<ProxyBindingsQuery, ProxyBindingsQueryVariables> = {
  "name": "ProxyBindings",
  "hash": "3f010ec409de27e4bbc6cda193d6805c130aafc507914e2ad05869d287dd9f31",
  "text": "query ProxyBindings($after:String$search:String$sort:Sort$order:ProxyBindingOrder$isOn:Boolean$domain:String){proxyBindings(first:50 after:$after search:$search sort:$sort order:$order isOn:$isOn domain:$domain){totalCount pageInfo{hasNextPage endCursor}nodes{...Binding}}}fragment Binding on ProxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails lastReceivedAt usedOn answers displayName answersStrangers sendsEncrypted mail{failed}refusedEmails lastRefusal{at reason}createdAt realAddresses{address isEnabled isVerified isVerificationNeeded suspendedAt spfSuffices}}"
};

export const AddressNames: Operation<AddressNamesQuery, AddressNamesQueryVariables> = {
  "name": "AddressNames",
  "hash": "1855ce9e4606a6f35746098a9bf2c3467d5fa11cf342c229a1706578734fb600",
  "text": "query AddressNames($search:String$first:Int){proxyBindings(first:$first search:$search){nodes{id proxyAddress description}}}"
};

export const ProxyBinding: Operation<ProxyBindingQuery, ProxyBindingQueryVariables> = {
  "name": "ProxyBinding",
  "hash": "fe6cbc33952807d385e477ee509dfbd7f831bda7fcd10a813342adbd542581de",
  "text": "query ProxyBinding($id:ID!){proxyBinding(id:$id){...Binding}}fragment Binding on ProxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails lastReceivedAt usedOn answers displayName answersStrangers sendsEncrypted mail{failed}refusedEmails lastRefusal{at reason}createdAt realAddresses{address isEnabled isVerified isVerificationNeeded suspendedAt spfSuffices}}"
};

export const CreateProxyBinding: Operation<CreateProxyBindingMutation, CreateProxyBindingMutationVariables> = {
  "name": "CreateProxyBinding",
  "hash": "16b7fe2b4b4d673c2a08a56f6453fb343f32343ce2d02b92664db5359908289f",
  "text": "mutation CreateProxyBinding($input:CreateProxyBindingInput!){createProxyBinding(input:$input){isCreated isVerificationSent proxyBinding{...Binding}}}fragment Binding on ProxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails lastReceivedAt usedOn answers displayName answersStrangers sendsEncrypted mail{failed}refusedEmails lastRefusal{at reason}createdAt realAddresses{address isEnabled isVerified isVerificationNeeded suspendedAt spfSuffices}}"
};

export const UpdateProxyBinding: Operation<UpdateProxyBindingMutation, UpdateProxyBindingMutationVariables> = {
  "name": "UpdateProxyBinding",
  "hash": "fa9e53dc04b2a0a37972fa6b2253c2cae3b42e1e1896121662a6874867a249f2",
  "text": "mutation UpdateProxyBinding($id:ID!$input:UpdateProxyBindingInput!){updateProxyBinding(id:$id input:$input){isVerificationSent proxyBinding{...Binding}}}fragment Binding on ProxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails lastReceivedAt usedOn answers displayName answersStrangers sendsEncrypted mail{failed}refusedEmails lastRefusal{at reason}createdAt realAddresses{address isEnabled isVerified isVerificationNeeded suspendedAt spfSuffices}}"
};

export const SwitchProxyBinding: Operation<SwitchProxyBindingMutation, SwitchProxyBindingMutationVariables> = {
  "name": "SwitchProxyBinding",
  "hash": "33037d8e93157f723b2fe41e4b4ac35b531e3cac492d679f99cb2f487d645f4a",
  "text": "mutation SwitchProxyBinding($id:ID!$isEnabled:Boolean!){switchProxyBinding(id:$id isEnabled:$isEnabled){proxyBinding{...Binding}}}fragment Binding on ProxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails lastReceivedAt usedOn answers displayName answersStrangers sendsEncrypted mail{failed}refusedEmails lastRefusal{at reason}createdAt realAddresses{address isEnabled isVerified isVerificationNeeded suspendedAt spfSuffices}}"
};

export const SetUsedOn: Operation<SetUsedOnMutation, SetUsedOnMutationVariables> = {
  "name": "SetUsedOn",
  "hash": "bbbe331ba7782038fadb0e18276caa601d9f7d7b376d36c8c82a503c11d3c8d5",
  "text": "mutation SetUsedOn($id:ID!$usedOn:[String!]!){setUsedOn(id:$id usedOn:$usedOn){proxyBinding{...Binding}}}fragment Binding on ProxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails lastReceivedAt usedOn answers displayName answersStrangers sendsEncrypted mail{failed}refusedEmails lastRefusal{at reason}createdAt realAddresses{address isEnabled isVerified isVerificationNeeded suspendedAt spfSuffices}}"
};

export const DeleteProxyBinding: Operation<DeleteProxyBindingMutation, DeleteProxyBindingMutationVariables> = {
  "name": "DeleteProxyBinding",
  "hash": "b5cec29acdbc46da8edf94b1d491e83da41ca94040513f0c2c5f082fca72dcb6",
  "text": "mutation DeleteProxyBinding($id:ID!){deleteProxyBinding(id:$id){id}}"
};

export const ResendVerification: Operation<ResendVerificationMutation, ResendVerificationMutationVariables> = {
  "name": "ResendVerification",
  "hash": "794f2ee43bbc6f9f6063f2272fd53f0a2740eb0c1cacff88875b9922c94cfb25",
  "text": "mutation ResendVerification($proxyBindingId:ID!$address:String!){resendVerification(proxyBindingId:$proxyBindingId address:$address){proxyBinding{id}}}"
};

export const TestCallback: Operation<TestCallbackMutation, TestCallbackMutationVariables> = {
  "name": "TestCallback",
  "hash": "9a5bf825b0e991584fb09b4fc6fd3314379e53b037a8854123e42c5018c77e77",
  "text": "mutation TestCallback($proxyBindingId:ID!){testCallback(proxyBindingId:$proxyBindingId){url isSuccess status durationMs failure}}"
};

export const SuggestedProxyAddress: Operation<SuggestedProxyAddressQuery, SuggestedProxyAddressQueryVariables> = {
  "name": "SuggestedProxyAddress",
  "hash": "b091b5b21ee567361a54d56baa1a825bfb96c60ad86a5aa2fe64a68620998ab5",
  "text": "query SuggestedProxyAddress{suggestedProxyAddress}"
};

export const AccountMail: Operation<AccountMailQuery, AccountMailQueryVariables> = {
  "name": "AccountMail",
  "hash": "653df13a9b6f2c9a40efd2136115ea8d9f84f9865f40b8e3dc5e879d89ace4a0",
  "text": "query AccountMail{me{id mail{...ShownCounts}}}fragment ShownCounts on MailCounts{received failed unread days(last:30){day received delivered failed}}"
};

export const AddressMail: Operation<AddressMailQuery, AddressMailQueryVariables> = {
  "name": "AddressMail",
  "hash": "4122e96d55af964e3bd987e81f44b489879b648cb0384f9fbfbb0cf0b7ca0323",
  "text": "query AddressMail($id:ID!){proxyBinding(id:$id){id mail{...ShownCounts}}}fragment ShownCounts on MailCounts{received failed unread days(last:30){day received delivered failed}}"
};

export const Contacts: Operation<ContactsQuery, ContactsQueryVariables> = {
  "name": "Contacts",
  "hash": "d86a3454b5803eee548a1672f945a16968a9662d6b5c6ed07447c4c13043b0cf",
  "text": "query Contacts($id:ID!$after:String$search:String){proxyBinding(id:$id){id contacts(first:30 after:$after search:$search){totalCount pageInfo{hasNextPage endCursor}nodes{...ShownContact}}}}fragment ShownContact on Contact{id address name reverseAddress isBlocked received sent lastSeenAt}"
};

export const CreateContact: Operation<CreateContactMutation, CreateContactMutationVariables> = {
  "name": "CreateContact",
  "hash": "7eb876b89ddf07ed9810d2ff19665cc4645859f206541391dbb676156cfbd255",
  "text": "mutation CreateContact($bindingId:ID!$address:String!$name:String){createContact(bindingId:$bindingId address:$address name:$name){contact{...ShownContact}}}fragment ShownContact on Contact{id address name reverseAddress isBlocked received sent lastSeenAt}"
};

export const UpdateContact: Operation<UpdateContactMutation, UpdateContactMutationVariables> = {
  "name": "UpdateContact",
  "hash": "1fd43c0b9a5ec20f6b899461619eee6178f7c017742e11e3df1b2d4a08b24440",
  "text": "mutation UpdateContact($id:ID!$name:String$isBlocked:Boolean){updateContact(id:$id name:$name isBlocked:$isBlocked){contact{...ShownContact}}}fragment ShownContact on Contact{id address name reverseAddress isBlocked received sent lastSeenAt}"
};

export const DeleteContact: Operation<DeleteContactMutation, DeleteContactMutationVariables> = {
  "name": "DeleteContact",
  "hash": "09692e3b2e862cfaa8e67082da895db713d4fcf9f58254a1d5092b0522ff3bbb",
  "text": "mutation DeleteContact($id:ID!){deleteContact(id:$id){id}}"
};

export const Domains: Operation<DomainsQuery, DomainsQueryVariables> = {
  "name": "Domains",
  "hash": "8b7916009d6befca6548b371bfbdcd9697257a30e0dde53171f368cab358810c",
  "text": "query Domains{domains{...ListedDomain}}fragment ListedDomain on Domain{id name state checkedAt failingSince}"
};

export const Domain: Operation<DomainQuery, DomainQueryVariables> = {
  "name": "Domain",
  "hash": "3c6ee5c97dff6be6e04040fb2c796fe453056b81fd13b8765b9e00976fb3cb18",
  "text": "query Domain($id:ID!){domain(id:$id){...ShownDomain}}fragment ShownDomain on Domain{...ListedDomain patterns{glob targets creates perHour}records{name type expected found verdict keyStage keepUntil}}fragment ListedDomain on Domain{id name state checkedAt failingSince}"
};

export const AddDomain: Operation<AddDomainMutation, AddDomainMutationVariables> = {
  "name": "AddDomain",
  "hash": "0e2eca91d716c736048030ff0e8d53d4a828d1ee073efc8aee5a949c7f682fa7",
  "text": "mutation AddDomain($name:String!){addDomain(name:$name){...ListedDomain}}fragment ListedDomain on Domain{id name state checkedAt failingSince}"
};

export const CheckDomain: Operation<CheckDomainMutation, CheckDomainMutationVariables> = {
  "name": "CheckDomain",
  "hash": "046a2d47de773d8751407d04f67c809f44f24598700db6abeb074d92f64ae951",
  "text": "mutation CheckDomain($id:ID!){checkDomain(id:$id){...ShownDomain}}fragment ShownDomain on Domain{...ListedDomain patterns{glob targets creates perHour}records{name type expected found verdict keyStage keepUntil}}fragment ListedDomain on Domain{id name state checkedAt failingSince}"
};

export const RotateDomainKeys: Operation<RotateDomainKeysMutation, RotateDomainKeysMutationVariables> = {
  "name": "RotateDomainKeys",
  "hash": "0f7486d19cb63ead1930e10dd926d6615a4e16e97c590900222f22c61303196e",
  "text": "mutation RotateDomainKeys($id:ID!){rotateDomainKeys(id:$id){...ShownDomain}}fragment ShownDomain on Domain{...ListedDomain patterns{glob targets creates perHour}records{name type expected found verdict keyStage keepUntil}}fragment ListedDomain on Domain{id name state checkedAt failingSince}"
};

export const RemoveDomain: Operation<RemoveDomainMutation, RemoveDomainMutationVariables> = {
  "name": "RemoveDomain",
  "hash": "8be8fccd28d86fbdd36e32c0b64cef80eece6ea2104e183411b318cb39e6b32f",
  "text": "mutation RemoveDomain($id:ID!){removeDomain(id:$id){id}}"
};

export const SetPatterns: Operation<SetPatternsMutation, SetPatternsMutationVariables> = {
  "name": "SetPatterns",
  "hash": "bf4b35df19c778cd27807e8a13a0a7f0e4eb937250625efdff34bb8ca4f84247",
  "text": "mutation SetPatterns($domainId:ID!$patterns:[PatternInput!]!){setPatterns(domainId:$domainId patterns:$patterns){...ShownDomain}}fragment ShownDomain on Domain{...ListedDomain patterns{glob targets creates perHour}records{name type expected found verdict keyStage keepUntil}}fragment ListedDomain on Domain{id name state checkedAt failingSince}"
};

export const Email: Operation<EmailQuery, EmailQueryVariables> = {
  "name": "Email",
  "hash": "cb697f24317197e7fe30cd1d27547f2fb308ca6e1e4d5c3c39825382dd97c267",
  "text": "query Email($id:ID!){receivedEmail:email(id:$id){id recipient envelopeRecipient sender subject text html isHtml sourceUrl isTruncated isProcessed isUnread isKept fromName fromAddress direction codes links olderId newerId receivedAt binding{id proxyAddress isBrowsable answers}headers{name value}attachments{filename mime sizeBytes contentId url}timeline{at kind target detail}deliveries{realAddress state nextAttemptAt attempts{at response}}callback{url state nextAttemptAt attempts{at status durationMs failure exchange{requestHeaders{name value}requestBytes responseHeaders{name value}responseBody}}}}}"
};

export const DeleteEmail: Operation<DeleteEmailMutation, DeleteEmailMutationVariables> = {
  "name": "DeleteEmail",
  "hash": "4e854f0d2ac86be3172c9a91e0a29a44853cf67430a7a6b4e123f927dd7cfa0a",
  "text": "mutation DeleteEmail($id:ID!){deleteEmail(id:$id){id}}"
};

export const RetryDelivery: Operation<RetryDeliveryMutation, RetryDeliveryMutationVariables> = {
  "name": "RetryDelivery",
  "hash": "5f10e7226ca1bd75036ded6e13285696eb090381a57d20ad4f093bf9e9478880",
  "text": "mutation RetryDelivery($emailId:ID!$realAddress:String!){retryDelivery(emailId:$emailId realAddress:$realAddress){receivedEmail{id}}}"
};

export const RetryCallback: Operation<RetryCallbackMutation, RetryCallbackMutationVariables> = {
  "name": "RetryCallback",
  "hash": "5b7f346ed314c5effe5025acfd9fb29ef34ae4496e20fd7695fd8d656e44a31a",
  "text": "mutation RetryCallback($emailId:ID!){retryCallback(emailId:$emailId){receivedEmail{id}}}"
};

export const Imports: Operation<ImportsQuery, ImportsQueryVariables> = {
  "name": "Imports",
  "hash": "257eca221570f2cf5f41e02c2446743e671ba19d8bee68c9dd08b577128ef165",
  "text": "query Imports{imports{...ShownImport}}fragment ShownImport on ImportJob{id source state fault progress total done createdAt}"
};

export const Import: Operation<ImportQuery, ImportQueryVariables> = {
  "name": "Import",
  "hash": "300959b0a7ae4080c48a1ebb02cdf4bdd44de4cf59fee005863b07f724db39ec",
  "text": "query Import($id:ID!$after:Int){importJob(id:$id){...ShownImport rows(first:200 after:$after){position kind old new verdict state detail}}}fragment ShownImport on ImportJob{id source state fault progress total done createdAt}"
};

export const ImportDryRun: Operation<ImportDryRunMutation, ImportDryRunMutationVariables> = {
  "name": "ImportDryRun",
  "hash": "e403e0ea76cbfa6fe61df195e472529aaa866ca56fb97b31431f7162a66574e8",
  "text": "mutation ImportDryRun($input:ImportInput!){importDryRun(input:$input){...ShownImport}}fragment ShownImport on ImportJob{id source state fault progress total done createdAt}"
};

export const StartImport: Operation<StartImportMutation, StartImportMutationVariables> = {
  "name": "StartImport",
  "hash": "8772e3649ae90101afeec978c14e338615966b00bc414b5b8975ca229e0a73b7",
  "text": "mutation StartImport($id:ID!$makesNewAddresses:Boolean!){startImport(id:$id makesNewAddresses:$makesNewAddresses){...ShownImport}}fragment ShownImport on ImportJob{id source state fault progress total done createdAt}"
};

export const Mail: Operation<MailQuery, MailQueryVariables> = {
  "name": "Mail",
  "hash": "e1c9a6c6a7e6409c53939eaeaaf32885658557e1363a98e1a88c8f0d21f52e60",
  "text": "query Mail($after:String$search:String$filter:EmailFilter){emails(first:30 after:$after search:$search filter:$filter){pageInfo{hasNextPage endCursor}nodes{id sender fromName fromAddress subject preview direction isUnread isKept isProcessed receivedAt recipient envelopeRecipient attachments{filename}outcomes{expected delivered failed retrying held nextAttemptAt failureReasons}}}me{id mail{unread}}}"
};

export const MarkEmails: Operation<MarkEmailsMutation, MarkEmailsMutationVariables> = {
  "name": "MarkEmails",
  "hash": "41cf767702a0ac2c39f848fd88b2ed2ef75cdc8da7548dd247a65c57d8bf5140",
  "text": "mutation MarkEmails($ids:[ID!]!$isUnread:Boolean!){markEmails(ids:$ids isUnread:$isUnread){receivedEmails{id}}}"
};

export const MarkAllRead: Operation<MarkAllReadMutation, MarkAllReadMutationVariables> = {
  "name": "MarkAllRead",
  "hash": "b1df9feee3628f69a19c49134b4d08cbc662919f4507226b316bd5a27a266369",
  "text": "mutation MarkAllRead($bindingId:ID){markAllRead(bindingId:$bindingId){count}}"
};

export const FailedEmails: Operation<FailedEmailsQuery, FailedEmailsQueryVariables> = {
  "name": "FailedEmails",
  "hash": "1e76b91248f70f8139232e9c950b22c7c17ba20c1160a1e059125494cbd7d2e3",
  "text": "query FailedEmails($after:String$filter:EmailFilter){emails(first:100 after:$after filter:$filter){pageInfo{hasNextPage endCursor}nodes{id isKept isProcessed}}}"
};

export const RetryDeliveries: Operation<RetryDeliveriesMutation, RetryDeliveriesMutationVariables> = {
  "name": "RetryDeliveries",
  "hash": "e57896a24130325173e1a763ab47995f2d108c870f5246c12c647642c04f0a29",
  "text": "mutation RetryDeliveries($emailIds:[ID!]!){retryDeliveries(emailIds:$emailIds){count}}"
};

export const RetryCallbacks: Operation<RetryCallbacksMutation, RetryCallbacksMutationVariables> = {
  "name": "RetryCallbacks",
  "hash": "993a5ae42ba8de6d736fff5d80db90fd57a3e86bc45f79d11387879d3d956432",
  "text": "mutation RetryCallbacks($emailIds:[ID!]!){retryCallbacks(emailIds:$emailIds){count}}"
};

export const Notices: Operation<NoticesQuery, NoticesQueryVariables> = {
  "name": "Notices",
  "hash": "740606d57471005794ce75f8860308677aa0a41918e8b9b5a4dd10bc699242bb",
  "text": "query Notices{arrived:emails(first:5 filter:{isKept:true isUnread:true}){nodes{id fromName fromAddress sender subject isKept}}failed:emails(first:30 filter:{undelivered:[FAILED]}){nodes{id fromName fromAddress sender subject isKept}}}"
};

export const OperatorAccounts: Operation<OperatorAccountsQuery, OperatorAccountsQueryVariables> = {
  "name": "OperatorAccounts",
  "hash": "224eb1237fe70d8bc6e7c53d362e6a08bba9b46b291067a09fc67d26fc469583",
  "text": "query OperatorAccounts($search:String){operator{id accounts(search:$search first:100){...OperatedAccount}}}fragment OperatedAccount on OperatedAccount{id username isDisabled isUsernameVerified isOperator twoFactorEnabled lastSignInAt createdAt}"
};

export const SetAccountDisabled: Operation<SetAccountDisabledMutation, SetAccountDisabledMutationVariables> = {
  "name": "SetAccountDisabled",
  "hash": "fc74c3e96b5f0b1c82a351e8f8d2699536b0e69820db5608e6f865220c084666",
  "text": "mutation SetAccountDisabled($id:ID!$isDisabled:Boolean!){setAccountDisabled(id:$id isDisabled:$isDisabled){account{id isDisabled}}}"
};

export const OperatorQueues: Operation<OperatorQueuesQuery, OperatorQueuesQueryVariables> = {
  "name": "OperatorQueues",
  "hash": "bb3cf8a52c746619b9e8d892b78c8b8195749e7e29062642ee768584cccd693f",
  "text": "query OperatorQueues{operator{id destinations{...Destination}}}fragment Destination on Destination{domain waiting oldestAt pausedAt}"
};

export const RetryDestination: Operation<RetryDestinationMutation, RetryDestinationMutationVariables> = {
  "name": "RetryDestination",
  "hash": "2835b994b7d6a9d7b9cdfb51acb3e27058e27a9d673b5fc167e734bb0816ae2e",
  "text": "mutation RetryDestination($domain:String!){retryDestination(domain:$domain){count}}"
};

export const SetDestinationPaused: Operation<SetDestinationPausedMutation, SetDestinationPausedMutationVariables> = {
  "name": "SetDestinationPaused",
  "hash": "c40606812204d471a84ed2fcd62c11af0911f4d8a7d16b0710de5d96e338aee0",
  "text": "mutation SetDestinationPaused($domain:String!$isPaused:Boolean!){setDestinationPaused(domain:$domain isPaused:$isPaused){domain}}"
};

export const OperatorDeadEvents: Operation<OperatorDeadEventsQuery, OperatorDeadEventsQueryVariables> = {
  "name": "OperatorDeadEvents",
  "hash": "04504f5514f28b4121c6fd6416c03b29620ef2b0f7e8b068055662c427851af8",
  "text": "query OperatorDeadEvents{operator{id authDeadEvents(first:100){...DeadEvent}bindingsDeadEvents(first:100){...DeadEvent}mailboxDeadEvents(first:100){...DeadEvent}forwarderDeadEvents(first:100){...DeadEvent}webhookDeadEvents(first:100){...DeadEvent}}}fragment DeadEvent on DeadEvent{id consumer topic diedAt error resendAskedAt}"
};

export const ResendAuthDeadEvents: Operation<ResendAuthDeadEventsMutation, ResendAuthDeadEventsMutationVariables> = {
  "name": "ResendAuthDeadEvents",
  "hash": "a656304264af59c1c6db6fb9b1cee251f99dff4d55bd2db8603c26d572071196",
  "text": "mutation ResendAuthDeadEvents($ids:[ID!]!){resendAuthDeadEvents(ids:$ids){count}}"
};

export const ResendBindingsDeadEvents: Operation<ResendBindingsDeadEventsMutation, ResendBindingsDeadEventsMutationVariables> = {
  "name": "ResendBindingsDeadEvents",
  "hash": "22b1d1e2950435ed21b0f096463db2d526215e590ea2f80e3b62531d7410cb03",
  "text": "mutation ResendBindingsDeadEvents($ids:[ID!]!){resendBindingsDeadEvents(ids:$ids){count}}"
};

export const ResendMailboxDeadEvents: Operation<ResendMailboxDeadEventsMutation, ResendMailboxDeadEventsMutationVariables> = {
  "name": "ResendMailboxDeadEvents",
  "hash": "0332355ee247c2d6721f8114d8dfbc8d5b404fedd31ee3bd56d325f657f223be",
  "text": "mutation ResendMailboxDeadEvents($ids:[ID!]!){resendMailboxDeadEvents(ids:$ids){count}}"
};

export const ResendForwarderDeadEvents: Operation<ResendForwarderDeadEventsMutation, ResendForwarderDeadEventsMutationVariables> = {
  "name": "ResendForwarderDeadEvents",
  "hash": "1465ce529e3cf011f153804e7183b8adad6acbefae4f7f07c8b31adf75a0ae47",
  "text": "mutation ResendForwarderDeadEvents($ids:[ID!]!){resendForwarderDeadEvents(ids:$ids){count}}"
};

export const ResendWebhookDeadEvents: Operation<ResendWebhookDeadEventsMutation, ResendWebhookDeadEventsMutationVariables> = {
  "name": "ResendWebhookDeadEvents",
  "hash": "2348ed9fc8949ff17c02308eb99e0cf1037824be6bec45a229cdec7ff4964e0a",
  "text": "mutation ResendWebhookDeadEvents($ids:[ID!]!){resendWebhookDeadEvents(ids:$ids){count}}"
};

export const OperatorDomains: Operation<OperatorDomainsQuery, OperatorDomainsQueryVariables> = {
  "name": "OperatorDomains",
  "hash": "2f5f36a7cf7fbf925f7f2ae277a1eff16aefc15d7a729274ba9533f9f53d7efc",
  "text": "query OperatorDomains($name:String){operator{id domains(name:$name){id name ownerId state checkedAt failingSince}}}"
};

export const OperatorActions: Operation<OperatorActionsQuery, OperatorActionsQueryVariables> = {
  "name": "OperatorActions",
  "hash": "ad9b8f1dd25baa456aa7189d5c23acee8d8df3f43de7d1c6e85d72dcb371480f",
  "text": "query OperatorActions{operator{id actions(first:100){id at operator action account}}}"
};

export const Recorders: Operation<RecordersQuery, RecordersQueryVariables> = {
  "name": "Recorders",
  "hash": "872ffd0a16ce84d014ebd2279df5038ed9a0b0fb7913eb7509fe0a9c7dee5492",
  "text": "query Recorders{recorders{id callUrl createdAt calls(first:1){method at}}}"
};

export const Recorder: Operation<RecorderQuery, RecorderQueryVariables> = {
  "name": "Recorder",
  "hash": "be4211f613ca10b48f92015b878c1823973a8a6ac3d2aa0bbf653afa425a3c5c",
  "text": "query Recorder($id:ID!){recorder(id:$id){id callUrl getUrl createdAt calls(first:50){method body isTruncated at}}}"
};

export const CreateRecorder: Operation<CreateRecorderMutation, CreateRecorderMutationVariables> = {
  "name": "CreateRecorder",
  "hash": "8e0e7891675eac35dfbb51c419acf0c5bd64a20b3c8065ea2c9f464162dcda1f",
  "text": "mutation CreateRecorder{createRecorder{recorder{id}}}"
};

export const DeleteRecorder: Operation<DeleteRecorderMutation, DeleteRecorderMutationVariables> = {
  "name": "DeleteRecorder",
  "hash": "1e235964866f758b34b7858c6f8fadc417dcda0c1c2f3524af3065028fdd3541",
  "text": "mutation DeleteRecorder($id:ID!){deleteRecorder(id:$id){id}}"
};

export const Rules: Operation<RulesQuery, RulesQueryVariables> = {
  "name": "Rules",
  "hash": "affb7699978c34e835814cfb2d772f33dc856902c1580d5a423a1837c6ba88de",
  "text": "query Rules($bindingId:ID$domainId:ID){rules(bindingId:$bindingId domainId:$domainId){...ShownRule}}fragment ShownRule on Rule{id name title position hits lastHitAt expiresAt binding{id proxyAddress}domain{id name}conditions{senders clientNetworks tags from dmarc dkim subjectContains listIds largerThan smallerThan}actions{refuse discard tagSubject forwardTo callbackOnly keepOnly limitPerHour}}"
};

export const CreateRule: Operation<CreateRuleMutation, CreateRuleMutationVariables> = {
  "name": "CreateRule",
  "hash": "4adcbaf019118a99984ceb3db7193295dbbe3a2d78a772b0373809f7ecd92b78",
  "text": "mutation CreateRule($input:CreateRuleInput!){createRule(input:$input){rule{...ShownRule}}}fragment ShownRule on Rule{id name title position hits lastHitAt expiresAt binding{id proxyAddress}domain{id name}conditions{senders clientNetworks tags from dmarc dkim subjectContains listIds largerThan smallerThan}actions{refuse discard tagSubject forwardTo callbackOnly keepOnly limitPerHour}}"
};

export const UpdateRule: Operation<UpdateRuleMutation, UpdateRuleMutationVariables> = {
  "name": "UpdateRule",
  "hash": "6b6669e4178776679225d94b059bcc87a193881e92ba0d846b7ada2a748f16e0",
  "text": "mutation UpdateRule($id:ID!$input:UpdateRuleInput!){updateRule(id:$id input:$input){rule{...ShownRule}}}fragment ShownRule on Rule{id name title position hits lastHitAt expiresAt binding{id proxyAddress}domain{id name}conditions{senders clientNetworks tags from dmarc dkim subjectContains listIds largerThan smallerThan}actions{refuse discard tagSubject forwardTo callbackOnly keepOnly limitPerHour}}"
};

export const MoveRule: Operation<MoveRuleMutation, MoveRuleMutationVariables> = {
  "name": "MoveRule",
  "hash": "435236f14c2c0cf3d1791e41711dd2dfb317c6e9232369b2f28d2a3213c6fef9",
  "text": "mutation MoveRule($id:ID!$position:Int!){moveRule(id:$id position:$position){rule{...ShownRule}}}fragment ShownRule on Rule{id name title position hits lastHitAt expiresAt binding{id proxyAddress}domain{id name}conditions{senders clientNetworks tags from dmarc dkim subjectContains listIds largerThan smallerThan}actions{refuse discard tagSubject forwardTo callbackOnly keepOnly limitPerHour}}"
};

export const DeleteRule: Operation<DeleteRuleMutation, DeleteRuleMutationVariables> = {
  "name": "DeleteRule",
  "hash": "0d2ea210c15e0d5cb0e0a67020df91f2fd474878f26ef47c2b39c0bf14655897",
  "text": "mutation DeleteRule($id:ID!){deleteRule(id:$id){id}}"
};

export const BlockSender: Operation<BlockSenderMutation, BlockSenderMutationVariables> = {
  "name": "BlockSender",
  "hash": "5c81ff64d6c4abeb5d1a456985398aaa45bd6ec2fd9e647871c4921dadde7d93",
  "text": "mutation BlockSender($emailId:ID!$scope:BlockScope!){blockSender(emailId:$emailId scope:$scope){rule{id}}}"
};

export const RuleDryRun: Operation<RuleDryRunQuery, RuleDryRunQueryVariables> = {
  "name": "RuleDryRun",
  "hash": "181f6fad9f186aa68bf5f1a4a403559b5874c73bf42c3edeaef2d1d32cc8dcd0",
  "text": "query RuleDryRun($input:RuleDryRunInput!){ruleDryRun(input:$input first:5){emailsChecked matched undecided isComplete emails{id subject fromName fromAddress sender isKept receivedAt}}}"
};

export const ApiToken: Operation<ApiTokenQuery, ApiTokenQueryVariables> = {
  "name": "ApiToken",
  "hash": "628bb8821de286c3baa7da0b8b865c4188479eadf73aa3998f6611326db8aa7d",
  "text": "query ApiToken{me{id apiToken}}"
};

export const WebhookSecret: Operation<WebhookSecretQuery, WebhookSecretQueryVariables> = {
  "name": "WebhookSecret",
  "hash": "d175468bec994f9d544e8a9c8c9c0d8ced0c8d195b64abcaf460f6527adebd76",
  "text": "query WebhookSecret{me{id webhookSecret}}"
};

export const Sessions: Operation<SessionsQuery, SessionsQueryVariables> = {
  "name": "Sessions",
  "hash": "06033a32735239c1400192625675c72e2a069a57e665253474d83539838ceb63",
  "text": "query Sessions{me{id sessions{id browser clientAddress isCurrent createdAt expiresAt}}}"
};

export const RotateApiToken: Operation<RotateApiTokenMutation, RotateApiTokenMutationVariables> = {
  "name": "RotateApiToken",
  "hash": "a0d83fed33d64ffc2d7d3872c92f9d06f5fcc59bfbcf35991e056bdd390479c5",
  "text": "mutation RotateApiToken{rotateApiToken{apiToken}}"
};

export const RotateWebhookSecret: Operation<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables> = {
  "name": "RotateWebhookSecret",
  "hash": "a5169fdf5d6437020890803108b489f142c06077971ce4001363d64371819c5d",
  "text": "mutation RotateWebhookSecret{rotateWebhookSecret{webhookSecret}}"
};

export const RevokeSession: Operation<RevokeSessionMutation, RevokeSessionMutationVariables> = {
  "name": "RevokeSession",
  "hash": "b6d3763e072aeec7b678f00d1e23d3b3ab3a3d92f87d5346fa23b7c30145f388",
  "text": "mutation RevokeSession($id:ID!){revokeSession(id:$id){id}}"
};

export const RevokeOtherSessions: Operation<RevokeOtherSessionsMutation, RevokeOtherSessionsMutationVariables> = {
  "name": "RevokeOtherSessions",
  "hash": "fbd140b20657520b905c1b7b937ec83f0819d90e8c615959712aad52cc9c4749",
  "text": "mutation RevokeOtherSessions{revokeOtherSessions{count}}"
};

export const EnableTwoFactor: Operation<EnableTwoFactorMutation, EnableTwoFactorMutationVariables> = {
  "name": "EnableTwoFactor",
  "hash": "537aa1e98ffccd6bb44c8e24da910a4b03810f6d2c7998b9c71c7ec8d6eb34ff",
  "text": "mutation EnableTwoFactor{enableTwoFactor{secret uri}}"
};

export const DisableTwoFactor: Operation<DisableTwoFactorMutation, DisableTwoFactorMutationVariables> = {
  "name": "DisableTwoFactor",
  "hash": "72f72ac79e36341defd594480b76c9815b35b1d97e6b57d5811f98cba327af90",
  "text": "mutation DisableTwoFactor($code:String!){disableTwoFactor(code:$code){account{id twoFactorEnabled}}}"
};

export const ChangePassword: Operation<ChangePasswordMutation, ChangePasswordMutationVariables> = {
  "name": "ChangePassword",
  "hash": "4b03b986bc9afc1bdb5d1b9251066f1c194c95ead298f9e22186303a943bb6a9",
  "text": "mutation ChangePassword($currentPassword:String!$newPassword:String!$revokeKeys:Boolean!){changePassword(currentPassword:$currentPassword newPassword:$newPassword revokeKeys:$revokeKeys){account{id}}}"
};

export const DeleteAccount: Operation<DeleteAccountMutation, DeleteAccountMutationVariables> = {
  "name": "DeleteAccount",
  "hash": "77c6f41d97cc835cd76a07130bb108264c753e1e3cef2fcbf057ca80fdb54742",
  "text": "mutation DeleteAccount($password:String!){deleteAccount(password:$password){id}}"
};

export const Passkeys: Operation<PasskeysQuery, PasskeysQueryVariables> = {
  "name": "Passkeys",
  "hash": "96dd0819ab43420fc6267ec686be7a613c3966b24d6e7bcdb125c778302576d6",
  "text": "query Passkeys{me{id passkeys{id name isBackedUp createdAt lastUsedAt}}}"
};

export const ProveByPassword: Operation<ProveByPasswordMutation, ProveByPasswordMutationVariables> = {
  "name": "ProveByPassword",
  "hash": "7a461acdff36a5c7e33892664d19f7f3e46a01a5991e443edac5cae3467597cd",
  "text": "mutation ProveByPassword($password:String!){proveByPassword(password:$password){isProven}}"
};

export const BeginPasskeyProof: Operation<BeginPasskeyProofMutation, BeginPasskeyProofMutationVariables> = {
  "name": "BeginPasskeyProof",
  "hash": "9475c8aaf45f66b6686dfdea4da8d7f01f808cec4746127f2702a9ea665294e4",
  "text": "mutation BeginPasskeyProof{beginPasskeyProof{optionsJson}}"
};

export const FinishPasskeyProof: Operation<FinishPasskeyProofMutation, FinishPasskeyProofMutationVariables> = {
  "name": "FinishPasskeyProof",
  "hash": "1fc7882efd48e0cc10df20a5981ec854d231d48cd3f2c607a3ff66e42e71a17e",
  "text": "mutation FinishPasskeyProof($responseJson:String!){finishPasskeyProof(responseJson:$responseJson){isProven}}"
};

export const BeginPasskeyRegistration: Operation<BeginPasskeyRegistrationMutation, BeginPasskeyRegistrationMutationVariables> = {
  "name": "BeginPasskeyRegistration",
  "hash": "e71d60000562e654590fe8f45c82a6e7700ee879da2c56e10f3294dabdc0a5bb",
  "text": "mutation BeginPasskeyRegistration{beginPasskeyRegistration{optionsJson}}"
};

export const FinishPasskeyRegistration: Operation<FinishPasskeyRegistrationMutation, FinishPasskeyRegistrationMutationVariables> = {
  "name": "FinishPasskeyRegistration",
  "hash": "53bde9d7e62b25fb34938003d3a5b0f8cd695c8b5e361980eab2437805f92bb7",
  "text": "mutation FinishPasskeyRegistration($responseJson:String!$name:String!){finishPasskeyRegistration(responseJson:$responseJson name:$name){passkey{id}}}"
};

export const RenamePasskey: Operation<RenamePasskeyMutation, RenamePasskeyMutationVariables> = {
  "name": "RenamePasskey",
  "hash": "058856aedeb157a918a3ec918789c68ae6fd579dee24c2984738663c7d4d9dde",
  "text": "mutation RenamePasskey($id:ID!$name:String!){renamePasskey(id:$id name:$name){passkey{id}}}"
};

export const RemovePasskey: Operation<RemovePasskeyMutation, RemovePasskeyMutationVariables> = {
  "name": "RemovePasskey",
  "hash": "e85b0577116e6fedb25b0cfe0a586889d5c26e7a63a68f98590ad0b379892d94",
  "text": "mutation RemovePasskey($id:ID!){removePasskey(id:$id){id}}"
};

export const ApiKeys: Operation<ApiKeysQuery, ApiKeysQueryVariables> = {
  "name": "ApiKeys",
  "hash": "0cc3d1b7b895a8ba076152495b75571d73c549d41391ac52446d7dadbd4d483a",
  "text": "query ApiKeys{apiKeys{...ListedApiKey}}fragment ListedApiKey on ApiKey{id name scopes expiresAt lastUsedAt createdAt}"
};

export const CreateApiKey: Operation<CreateApiKeyMutation, CreateApiKeyMutationVariables> = {
  "name": "CreateApiKey",
  "hash": "e066436f157af18616e91ec9b77f9f2ef3d6bfeead1ce6743dbd65795f566759",
  "text": "mutation CreateApiKey($input:CreateApiKeyInput!){createApiKey(input:$input){key apiKey{...ListedApiKey}}}fragment ListedApiKey on ApiKey{id name scopes expiresAt lastUsedAt createdAt}"
};

export const RevokeApiKey: Operation<RevokeApiKeyMutation, RevokeApiKeyMutationVariables> = {
  "name": "RevokeApiKey",
  "hash": "cdd84e4e62a3af8cc7c0e1c73bd87b05e70c2d346660aab824d936d64a107534",
  "text": "mutation RevokeApiKey($id:ID!){revokeApiKey(id:$id){id}}"
};

export const AccountWebhook: Operation<AccountWebhookQuery, AccountWebhookQueryVariables> = {
  "name": "AccountWebhook",
  "hash": "78ad91fcb716f2b1af197e34e01839a0b7021b6046fb6a274841194aed28e401",
  "text": "query AccountWebhook{accountWebhook{url kinds offAt offReason}}"
};

export const WebhookCalls: Operation<WebhookCallsQuery, WebhookCallsQueryVariables> = {
  "name": "WebhookCalls",
  "hash": "766604ac5e7f5088c9d410f86277287fa613de4cefb84a74ec527a6d30ad1a1c",
  "text": "query WebhookCalls($after:String$states:[WebhookCallState!]$bindingId:ID){accountWebhook{failedCallCount(bindingId:$bindingId)calls(first:20 after:$after states:$states bindingId:$bindingId){nodes{id kind at address body email{id subject recipient envelopeRecipient isKept}state nextAttemptAt attempts{at status durationMs failure exchange{requestHeaders{name value}requestBytes responseHeaders{name value}responseBody}}}pageInfo{hasNextPage endCursor}}}}"
};

export const SetAccountWebhook: Operation<SetAccountWebhookMutation, SetAccountWebhookMutationVariables> = {
  "name": "SetAccountWebhook",
  "hash": "558d2e34b8c918d423651e3f183f2da4de0da74c3fe8ddbde7a976aff036e5ef",
  "text": "mutation SetAccountWebhook($input:AccountWebhookInput!){setAccountWebhook(input:$input){accountWebhook{url}}}"
};

export const RemoveAccountWebhook: Operation<RemoveAccountWebhookMutation, RemoveAccountWebhookMutationVariables> = {
  "name": "RemoveAccountWebhook",
  "hash": "00b9b70088345c1ec83e676eb0ff3824f1e52a2d81f85907771027acafda7de8",
  "text": "mutation RemoveAccountWebhook{removeAccountWebhook{isRemoved}}"
};

export const TestAccountWebhook: Operation<TestAccountWebhookMutation, TestAccountWebhookMutationVariables> = {
  "name": "TestAccountWebhook",
  "hash": "712fb6b9a9f1687a8b27e06f7a4520743dab04eb3f66dadd0906411fca3caa5c",
  "text": "mutation TestAccountWebhook{testAccountWebhook{url isSuccess status durationMs failure}}"
};

export const RetryWebhookCalls: Operation<RetryWebhookCallsMutation, RetryWebhookCallsMutationVariables> = {
  "name": "RetryWebhookCalls",
  "hash": "cbbe7c3fbd45974047712a40644d61dc124c80e4420c547470c8b4b708529695",
  "text": "mutation RetryWebhookCalls($ids:[ID!]$states:[WebhookCallState!]$bindingId:ID){retryWebhookCalls(ids:$ids states:$states bindingId:$bindingId){count}}"
};
