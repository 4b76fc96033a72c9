import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import { bits, integer, objectId, octets, sequence, set, tagged, time, utf8 } from "./der.ts";

const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));
const dayMs = 86_400_000;
const lifetimeDays = 3_650;
const dnsName = 2;

/** A private key and a certificate for it, both PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/**
 * A new P-256 key and a certificate that it signed itself (RFC 5280): what STARTTLS offers until there is a real one.
 * Mail servers encrypt opportunistically and do not look at the name (RFC 7435), so that this keeps out whoever listens.
 */
export function selfSigned(domain: string, now = new Date()): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(objectId("2.5.4.3"), utf8(domain.slice(0, 64)))));
  const subjectAltName = sequence(objectId("2.5.29.17"), octets(sequence(tagged(dnsName, Buffer.from(domain), true))));
  const toBeSigned = sequence(
    tagged(0, integer(Buffer.from([2]))),
    // 120 random bits after a leading 01: positive, and of one length.
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now.getTime() - dayMs)), time(new Date(now.getTime() + lifetimeDays * dayMs))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(3, sequence(subjectAltName)),
  );
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bits(sign("sha256", toBeSigned, privateKey)));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: new X509Certificate(certificate).toString(),
  };
}
