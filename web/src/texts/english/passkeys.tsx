import type { ReactNode } from "react";

export const passkeys = {
  title: "Passkeys",
  lead: "Sign in with your fingerprint, face or PIN instead of a password and code. A passkey stays on your devices.",
  add: "Add a passkey",
  nameHint: "The device that holds it: “My phone”.",
  impossible: "Passkeys need a browser that supports them, and a service reached by name over https.",
  created: (at: ReactNode) => <>Created {at}</>,
  notUsed: "; not used yet",
  lastUsed: (at: ReactNode) => <>; last used {at}</>,
  backedUp: "; synced between your devices",
  renameWhat: (name: string) => `Rename ${name}`,
  removeWhat: (name: string) => `Remove ${name}`,
  removeTitle: "Remove this passkey?",
  removeAction: "Remove passkey",
  removeLead: (name: ReactNode) => (
    <>
      {name} can't be used to sign in any more. Your device still holds it: remove it there as well. Sessions that it
      started go on; end them under “Sessions”.
    </>
  ),
};
