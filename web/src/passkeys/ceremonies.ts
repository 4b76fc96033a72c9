import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { ask } from "../graph/ask.ts";
import {
  BeginPasskeyProof,
  BeginPasskeyRegistration,
  BeginPasskeySignIn,
  FinishPasskeyProof,
  FinishPasskeyRegistration,
  FinishPasskeySignIn,
} from "../graph/gen/operations.ts";
import { GraphRefusal } from "../graph/refusal.ts";

const ipAddress = /^[\d.]+$|^\[/;

/** Whether this browser has passkeys for this site: they belong to a name, never to an IP address (WebAuthn, section 5.1.3). */
export function arePasskeysPossible(): boolean {
  return browserSupportsWebAuthn() && !ipAddress.test(location.hostname);
}

/** What runs an action, and runs it again once a fresh proof was given that it takes. */
type Run = <T>(action: () => Promise<T>) => Promise<T>;

/** Has a passkey made and keeps it with the account. @throws GraphRefusal */
export async function addPasskey(name: string, withFreshProof: Run): Promise<void> {
  const { data } = await withFreshProof(() => ask(BeginPasskeyRegistration, {}));
  const optionsJSON = JSON.parse(data.beginPasskeyRegistration?.optionsJson ?? "");
  const response = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    const isThere = error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
    throw new GraphRefusal("the browser made no passkey", isThere ? "PasskeyAlreadyThere" : "PasskeyNotMade");
  });
  await withFreshProof(() => ask(FinishPasskeyRegistration, { responseJson: JSON.stringify(response), name }));
}

/** Proves that it is the account's owner who sits here. @throws GraphRefusal */
export async function proveByPasskey(): Promise<void> {
  const { data } = await ask(BeginPasskeyProof, {});
  await ask(FinishPasskeyProof, { responseJson: await signedBy(data.beginPasskeyProof?.optionsJson) });
}

/** Signs this browser in by whichever passkey its user chooses. @throws GraphRefusal */
export async function signInByPasskey(): Promise<void> {
  const { data } = await ask(BeginPasskeySignIn, {});
  await ask(FinishPasskeySignIn, { responseJson: await signedBy(data.beginPasskeySignIn?.optionsJson) });
}

/** What a passkey of the person's choice answers to the server's options. @throws GraphRefusal */
async function signedBy(optionsJson: string | undefined): Promise<string> {
  const response = await startAuthentication({ optionsJSON: JSON.parse(optionsJson ?? "") }).catch(() => {
    throw new GraphRefusal("the browser used no passkey", "PasskeyNotUsed");
  });
  return JSON.stringify(response);
}
