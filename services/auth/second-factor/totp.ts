import { generateSecret, generateURI, verify } from "otplib";

/** One step back and one ahead (RFC 6238 section 5.2 and 6): clocks differ, and typing takes time. */
const toleranceS = 30;

/** A new secret: 160 bits in base32 (RFC 4226 section 4, R6). */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What an authenticator scans (the otpauth key URI). */
export function totpUri(secret: string, username: string, issuer: string): string {
  return generateURI({ secret, label: username, issuer });
}

/** The time step that a code is right for; undefined when it is right for none of those that count now. */
export async function timeStepOf(code: string, secret: string): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = await verify({ secret, token: code, epochTolerance: toleranceS });
  return result.valid && "timeStep" in result ? result.timeStep : undefined;
}
