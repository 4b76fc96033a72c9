import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { ask } from "../graph/ask.ts";
import {
  BeginPasskeyRegistration,
  BeginPasskeySignIn,
  FinishPasskeyRegistration,
  FinishPasskeySignIn,
} from "../graph/gen/operations.ts";
import { GraphRefusal } from "../graph/refusal.ts";

const ipAddress = /^[\d.]+$|^\[/;

/** Whether this browser has passkeys for this site: they belong to a name, never to an IP address (WebAuthn, section 5.1.3). */
export function arePasskeysPossible(): boolean {
  return browserSupportsWebAuthn() && !ipAddress.test(location.hostname);
}

/** Has a passkey made and keeps it with the account. @throws GraphRefusal */
export async function addPasskey({ password, name }: { password: string; name: string }): Promise<void> {
  const { data } = await ask(BeginPasskeyRegistration, { password });
  const optionsJSON = JSON.parse(data.beginPasskeyRegistration?.optionsJson ?? "");
  const response = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw new GraphRefusal(whyNotMade(error), "PasskeyNotMade");
  });
  await ask(FinishPasskeyRegistration, { responseJson: JSON.stringify(response), name });
}

function whyNotMade(error: unknown): string {
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return "What you have chosen keeps a passkey of this account already.";
  return "No passkey was made: it was called off, took too long, or nothing here can keep one.";
}

/** Signs this browser in by whichever passkey its user chooses. @throws GraphRefusal */
export async function signInByPasskey(): Promise<void> {
  const { data } = await ask(BeginPasskeySignIn, {});
  const optionsJSON = JSON.parse(data.beginPasskeySignIn?.optionsJson ?? "");
  const response = await startAuthentication({ optionsJSON }).catch(() => {
    throw new GraphRefusal(
      "No passkey was used: it was called off, took too long, or there is none for this site here.",
      "PasskeyNotUsed",
    );
  });
  await ask(FinishPasskeySignIn, { responseJson: JSON.stringify(response) });
}
