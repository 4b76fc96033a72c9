import { generateKeyPairSync } from "node:crypto";
import { dkimSign } from "mailauth/lib/dkim/sign.js";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}`;

/** What the owner's server publishes, and others that sign in their own name. */
export const ownersZone: Readonly<Record<string, string[]>> = {
  "sel._domainkey.example.org TXT": [keyRecord],
  "sel._domainkey.third.example TXT": [keyRecord],
  "sel._domainkey.child.example.org TXT": [keyRecord],
};

export interface Signing {
  maxBodyLength?: number;
  headerList?: readonly string[];
  selector?: string;
}

/** A message with the DKIM signature of a domain on top. */
export async function signed(message: Buffer, signer: string, signing: Signing = {}): Promise<Buffer> {
  const { signatures } = await dkimSign(message, {
    canonicalization: "relaxed/relaxed",
    signTime: new Date(),
    ...signing,
    signatureData: [{ signingDomain: signer, selector: "sel", privateKey, ...signing }],
  } as never);
  return Buffer.concat([Buffer.from(signatures), message]);
}
