import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "@jest/globals";
import { selfSigned } from "./self-signed.ts";

test("a pair that fits together, names the domain and is valid now", async () => {
  const { key, cert } = await selfSigned("mx.example.com");
  const certificate = new X509Certificate(cert);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkHost("mx.example.com")).toBe("mx.example.com");
  expect(certificate.validFromDate < new Date() && certificate.validToDate > new Date()).toBe(true);
});
