import { createContext } from "react";

/** What the graph says to who is not, or not wholly, signed in. */
export const signedOutKinds = ["CredentialsMissing", "BearerTokenInvalid", "SecondFactorRequired"] as const;

/** Has the person sign in again where their session ended; false when somebody else came instead. Without a provider nobody is asked. */
export const SignInAgainContext = createContext<() => Promise<boolean>>(async () => false);

/** The state of the address at which somebody arrives whose account was just deleted. */
export const accountDeleted = { isAccountDeleted: true } as const;
