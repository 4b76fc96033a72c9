import type { ErrorKind } from "../../../platform/error-kinds.ts";

/** What the pages behind links in mail say. What is handed in is HTML already, unless it was said by a service. */
export const english = {
  language: "en",
  /** What a service refused with. */
  refusal: (_kind: ErrorKind, said: string) => said,
  /** What it finds wrong with a password: the end of a sentence. */
  passwordFault: (_kind: ErrorKind, fault: string) => `The password ${fault}`,
  /** Where forwarder found an address in an answer. */
  place: (said: string) => said,

  linkFails: "This link does not work",
  reference: (id: string) => `Reference: ${id}`,
  verificationAdvice: "Ask for a new link where you manage your proxy addresses.",
  heldAnswerAdvice: "You can write the answer again, without the address in it.",
  heldRemovedAdvice: "To write to the contact, make it again, and write a new answer.",
  heldForbiddenAdvice: "If you change that before the answer expires, this link works again.",
  heldUnavailableAdvice: "Please open this link again later.",
  accountAdvice: "Ask for a new link where you sign in.",

  verifyTitle: "Is this address yours?",
  verifyAsks: (proxyAddress: string, realAddress: string) =>
    `Mail to ${proxyAddress} is to be forwarded to ${realAddress}.`,
  verifyButton: "Yes, forward it to me",
  verifyOtherwise: "If you did not ask for this, close the page: nothing will be forwarded.",
  verifiedTitle: "Verified",
  verified: (proxyAddress: string, realAddress: string) =>
    `From now on, mail to ${proxyAddress} is forwarded to ${realAddress}.`,

  heldTitle: "Send this answer as it is?",
  held: (proxyAddress: string, recipients: string) =>
    `Your answer from ${proxyAddress} to ${recipients} waits, because it would show an address that only you should use:`,
  heldButton: "Yes, send it all the same",
  heldOtherwise: "If you would rather not, close the page: the answer is not sent.",
  sentTitle: "It will be sent",
  sent: (recipients: string) => `Your answer to ${recipients} is sent as it is.`,

  confirmTitle: "Confirm your address",
  confirmAsks: (username: string) =>
    `Somebody signed up with the address ${username}. If it was you, enter the password that you chose.`,
  password: "Password",
  confirmButton: "Confirm and sign in",
  confirmOtherwise: "If it was not you, close this page: there is no account until it is confirmed.",

  resetTitle: "Choose a new password",
  resetAsks: (username: string) =>
    `For the account ${username}. You will be signed out everywhere, your API token will stop working, and
your webhook secret will be replaced.`,
  newPassword: "New password",
  code: "Code from your authenticator, or a recovery code",
  resetButton: "Set the password",
  resetDoneTitle: "Password updated",
  resetDone: (username: string) =>
    `You've been signed out on all devices. Sign in as ${username} with the new password.`,
  signIn: "Sign in",
};

/** All languages have the same texts. */
export type Texts = Readonly<typeof english>;
