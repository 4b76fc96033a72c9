export type { Address, AddressChange, Addresses, NewAddress } from "./addresses.ts";
export type { Attachment, AwaitedEmail, Email } from "./email.ts";
export type { EmailQuery, EmailSummary, Emails, WaitOptions } from "./emails.ts";
export {
  ApiError,
  type ApiFailure,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ContentError,
  ForbiddenError,
  InvalidRequestError,
  NoEmailError,
  NotFoundError,
  PosternError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from "./errors.ts";
export type { AccountEvent } from "./events.ts";
export { Inbox, tagged } from "./inbox.ts";
export { Postern } from "./postern.ts";
export type { ApiKey, Contact, Contacts, Domain, Domains, Keys, Message, Messages, Pattern } from "./resources.ts";
export type { CallOptions, PosternOptions, Transport } from "./transport.ts";
