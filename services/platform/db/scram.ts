import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const iterations = 4096;

/**
 * A password as PostgreSQL stores it (RFC 5803), to be given in its place, so that no password appears in a statement
 * and with it in a server's log. For passwords of ASCII, which need no SASLprep.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const key = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(key("Client Key")).digest("base64");
  const serverKey = key("Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
