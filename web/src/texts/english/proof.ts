export const proof = {
  title: "Confirm it's you",
  lead: "For your security, enter your password to continue. We won't ask again for 10 minutes.",
  usePasskey: "Use a passkey",
};
