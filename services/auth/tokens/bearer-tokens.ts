import { errors, jwtVerify, SignJWT } from "jose";
import { isId } from "../../platform/ids.ts";
import { algorithm, type SigningKey, type TokenSigningKeys } from "./signing-keys.ts";

const issuer = "postern";

/** Authentication methods (RFC 8176): "mfa" stands for a second factor that was given. */
const methods = { password: ["pwd"], secondFactor: ["pwd", "otp", "mfa"] };

/** What a bearer token says: the session that it belongs to (jti), and until when. */
interface BearerClaims {
  sessionId: string;
  accountId: string;
  isSecondFactorGranted: boolean;
  expiresAt: Date;
}

/** A bearer token (JWS, RFC 7515) that says this. */
export async function signBearer(
  { sessionId, accountId, isSecondFactorGranted, expiresAt }: BearerClaims,
  { id, key }: SigningKey,
): Promise<string> {
  return new SignJWT({ amr: isSecondFactorGranted ? methods.secondFactor : methods.password })
    .setProtectedHeader({ alg: algorithm, kid: id, typ: "JWT" })
    .setIssuer(issuer)
    .setSubject(accountId)
    .setJti(sessionId)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(key);
}

/** What a token says; undefined when it is not ours, was changed, or has ended. Whether it was revoked, its session knows. */
export async function verifyBearer(token: string, keys: TokenSigningKeys): Promise<BearerClaims | undefined> {
  if (!isCanonical(token)) return undefined;
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = await keys.verifying(kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      { issuer, algorithms: [algorithm], requiredClaims: ["jti", "sub", "exp", "amr"] },
    );
    const { jti = "", sub = "", exp = 0, amr } = payload;
    if (!isId(jti) || !Array.isArray(amr)) return undefined;
    return {
      sessionId: jti,
      accountId: sub,
      isSecondFactorGranted: amr.includes("mfa"),
      expiresAt: new Date(exp * 1000),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The last character of base64url may hold bits that are not decoded: one token would have several spellings. */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}
