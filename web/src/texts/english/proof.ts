export const proof = {
  title: "Confirm it's you",
  lead: "For your security, enter your password to continue. We won't ask again for 10 minutes.",
  signInAgain: "Sign in again",
  sessionEnded: "Your session has ended. Sign in to go on where you were; what you typed is still there.",
  usePasskey: "Use a passkey",
};
