import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from "@simplewebauthn/server/helpers";
import { z } from "zod";

/** What a browser says that an authenticator said, and the challenge that it answers. */
export interface Answered<Response> {
  response: Response;
  challenge: string;
}

const base64url = z.string().regex(/^[\w-]*$/);
const Challenge = base64url.min(1);
const transports = z.array(z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]));

const credential = { id: base64url.min(1), rawId: base64url.min(1), type: z.literal("public-key") };

/** RegistrationResponseJSON (WebAuthn Level 3, section 5.1): the members that are looked at. */
const RegistrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    // A transport that has no name here yet is no reason to refuse a passkey.
    transports: transports.catch([]),
  }),
});

/** AuthenticationResponseJSON, likewise. */
const AuthenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional().catch(undefined),
  }),
});

/** What `navigator.credentials.create` gave, as its `toJSON` writes it. @throws Error for what is none of that */
export function registrationResponse(json: string): Answered<RegistrationResponseJSON> {
  const parsed = RegistrationResponse.parse(JSON.parse(json));
  refuseCertificates(parsed.response.attestationObject);
  return answered({ ...parsed, clientExtensionResults: {} });
}

/** What `navigator.credentials.get` gave, likewise. @throws Error for what is none of that */
export function authenticationResponse(json: string): Answered<AuthenticationResponseJSON> {
  const { response, ...parsed } = AuthenticationResponse.parse(JSON.parse(json));
  const { userHandle, ...signed } = response;
  return answered({
    ...parsed,
    response: { ...signed, ...(userHandle === undefined ? {} : { userHandle }) },
    clientExtensionResults: {},
  });
}

function answered<Response extends { response: { clientDataJSON: string } }>(response: Response): Answered<Response> {
  return { response, challenge: Challenge.parse(decodeClientDataJSON(response.response.clientDataJSON).challenge) };
}

/**
 * No attestation is asked for, and a browser takes out what there is but the self attestation. Certificates that come all the
 * same come from nobody's browser, and to check one would be to fetch a revocation list from wherever it says.
 */
function refuseCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get("fmt");
  const isSelfAttested = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isSelfAttested) throw new Error("an attestation that was not asked for");
}
