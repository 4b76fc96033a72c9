import type { ReactNode } from "react";

export const session = {
  signIn: "Sign in",
  emailAddress: "Email address",
  accountDeleted: "Your account and everything in it was deleted.",
  forgotPassword: "Forgot your password?",
  backToSignIn: "Back to sign in",
  newHere: "New here?",
  createAccount: "Create account",
  byInvitation: "Sign-up is by invitation only.",
  haveAccount: "Have an account?",
  signUpLead:
    "Give each shop and newsletter an address of its own. Email reaches you; your real address stays private.",
  yourEmailAddress: "Your email address",
  yourEmailAddressHint: "Email is forwarded here. We'll send a link to confirm that it's yours.",
  passwordHint: "At least 8 characters. A few random words are easy to remember.",
  checkYourEmail: "Check your email",
  checkYourEmailLead: (username: ReactNode) => (
    <>Check your email to continue. We sent {username} a link that works for two days.</>
  ),
  checkSpam: "Nothing there? Look in your spam folder, or check the address.",
  useDifferentAddress: "Use a different address",
  chooseNewPassword: "Choose a new password",
  resetHint: "The one you signed up with. We'll send a link to it.",
  sendLink: "Send link",
  resetSent: (username: string) => `If ${username} has an account, we've sent it a link to choose a new password.`,
  twoFactor: "Two-factor authentication",
  useDifferentAccount: "Use a different account",
  signInWithPasskey: "Sign in with a passkey",
  notConfirmed: "Your address isn't confirmed",
  confirmTitle: "Confirm your address.",
  confirmLead: (username: string) => `Email is forwarded to ${username} once you've opened the link we sent there.`,
  resendLink: "Resend link",
  resent: "Sent.",
  landing: {
    title: "An email address for every shop, app and test",
    lead: "Give each its own address. Email reaches you, your real address stays private, and you switch off whoever sends too much.",
    points: {
      addresses: {
        title: "Addresses in two clicks",
        text: "Forwarded to you, kept here to read, or both. Switch one off, and nothing more is forwarded from it.",
      },
      replies: {
        title: "Reply without showing yourself",
        text: "Answer from your own email program; the other side sees only the address that you gave them.",
      },
      domains: {
        title: "Your own domains and rules",
        text: "Addresses that are made when their first email comes, senders blocked, invoices sent on to somebody else.",
      },
      programs: {
        title: "Made for programs as well",
        text: "A webhook for each email, an API for everything, and tests that read the codes they were sent.",
      },
    },
    documentation: "API documentation",
  },
};
