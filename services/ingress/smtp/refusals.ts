/**
 * All refusals: reply code (RFC 5321 section 4.2), enhanced status code (RFC 3463) and a sentence.
 * The name is the `reason` of postern_smtp_refused_total.
 */
const refusals = {
  // Temporary, or about the connection
  outage: [451, "4.3.0", "We cannot take this mail right now, please try again later"],
  stopping: [421, "4.3.2", "Service is going down, please try again later"],
  clientVanished: [421, "4.4.2", "The connection was lost in the middle of a message"],
  tooManyConnections: [421, "4.7.0", "Too many connections, please try again later"],
  tooManyMessages: [421, "4.7.0", "Too many messages from your address, please try again later"],
  tooManyNewAddresses: [452, "4.2.1", "This domain takes no more new addresses for now, please try again later"],
  recipientTooBusy: [452, "4.2.1", "This address gets too many messages, please try again later"],
  notSignable: [451, "4.7.5", "The DKIM records of this domain are not published, please try again later"],
  senderUndecided: [451, "4.7.0", "The author of this message cannot be verified now, please try again later"],
  // About the command
  parameterNotOffered: [555, "5.5.4", "The command has a parameter of an extension that is not offered"],
  // About the recipient
  storageFull: [452, "4.2.2", "The mailbox of this address is full, please try again later"],
  recipientSuspended: [450, "4.2.1", "This address cannot take mail for the moment, please try again later"],
  recipientDisabled: [550, "5.2.1", "This address does not take mail"],
  unknownRecipient: [550, "5.1.1", "No such address here"],
  relayDenied: [550, "5.7.1", "We do not relay to this domain"],
  staleReversePath: [550, "5.7.1", "This return address is not valid, or no longer"],
  utf8NotDeclared: [553, "5.6.7", "This address needs SMTPUTF8"],
  // About the message
  messageTooBig: [552, "5.3.4", "The message is larger than we take"],
  headerTooBig: [552, "5.3.4", "The header is larger than we take"],
  nulCharacter: [550, "5.6.0", "The message contains a NUL character"],
  bareLineEnding: [550, "5.6.11", "The message has a carriage return or line feed that stands alone"],
  senderNotAuthentic: [550, "5.7.26", "The message fails DMARC, and its author's domain asks to refuse such mail"],
  authorsNotAuthentic: [550, "5.7.26", "From names no author or several domains, and none of them passes DMARC"],
  senderIsOurs: [550, "5.7.1", "The author's address belongs to this service, which did not send this message"],
  oneReverseAddress: [
    452,
    "4.5.3",
    "A reverse address is written to in a transaction of its own, please send the rest in another",
  ],
  tooManyAnswers: [452, "4.2.1", "This account has sent enough for now, please try again later"],
  sendingPaused: [
    452,
    "4.2.1",
    "The sending of this account is paused, and its owner was told why; please try again later",
  ],
  answerAuthorUnclear: [550, "5.7.1", "An answer has one author in From"],
  answerHeaderUnclear: [550, "5.7.1", "An answer has one From, Date and Message-ID, and no field twice"],
  answerTooOld: [550, "5.7.1", "The Date of this answer is not within the last five days"],
  answerNotOwners: [550, "5.7.1", "This reverse address is not the author's to answer from"],
  answerUnproved: [550, "5.7.1", "The author is not proved: an answer needs a DKIM signature of the author's domain"],
  answersOff: [550, "5.7.1", "Answering from this address is switched off"],
  contactBlocked: [550, "5.7.1", "This contact is blocked"],
  strangerAddressed: [550, "5.7.1", "To or Cc has an address that is no contact of this address"],
  sendingOff: [550, "5.7.1", "This service sends no answers"],
  contactNotWritten: [550, "5.7.1", "This contact has not written yet"],
  answerLoop: [554, "5.4.6", "This thread has been answered back and forth by machines"],
  ruleRefused: [550, "5.7.1", "This address does not take this message"],
  ruleLimited: [452, "4.2.1", "This address takes no more such messages for now, please try again later"],
  senderBlocked: [550, "5.7.1", "This address takes no mail from this author"],
  tooManyHops: [554, "5.4.6", "The message has been through too many servers"],
  mailLoop: [554, "5.4.6", "The message has been here before"],
} as const satisfies Record<string, readonly [code: number, status: string, text: string]>;

type SmtpRefusalReason = keyof typeof refusals;

/** A negative reply to an SMTP command. smtp-server reads `responseCode` and `message`. */
export class SmtpRefusal extends Error {
  readonly reason: SmtpRefusalReason;
  readonly responseCode: number;

  constructor(reason: SmtpRefusalReason, cause?: unknown) {
    const [code, status, text] = refusals[reason];
    super(`${status} ${text}`, { cause });
    this.name = "SmtpRefusal";
    this.reason = reason;
    this.responseCode = code;
  }
}
