import { KeyObject, webcrypto } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openDatabase } from "../../services/platform/db/database.ts";
import { startEmbeddedPostgres } from "../../services/platform/db/embedded.ts";
import { dayMs } from "../../services/platform/durations.ts";
import { testCertificate } from "../support/http/certificate.ts";
import { silentLogger } from "../support/peers/database.ts";
import { DnsServer, type Zone } from "../support/peers/dns-server.ts";
import { type Operator, operator } from "./support/operator.ts";

const domain = "mail.doctor-of-postern.net";

let own: Operator;
let dns: DnsServer;
const zone: Record<string, string[]> = {};
beforeAll(async () => {
  own = await operator();
  dns = await DnsServer.start(zone satisfies Zone);
});
afterAll(async () => {
  await dns.stop();
  await own.dispose();
});

async function doctor(more: Record<string, string> = {}) {
  return own.admin("doctor", { SERVICE_DOMAIN: domain, DNS_SERVERS: dns.address, ...more });
}

test("of a domain that is nobody's, nothing is to be published, and no certificate is asked for", async () => {
  const { answer, exitCode } = await own.admin("doctor");
  expect(answer).toMatch(/good +clock +\d\.\d s apart from the database server's\n/);
  expect(answer).toMatch(/good +TLS of incoming mail +a self-signed certificate, which is enough here\n/);
  expect(answer).toMatch(/good +DNS +nothing to publish: proxy\.example is a reserved name\n/);
  expect(exitCode).toBe(0);
});

test("each record that is not published is named, and what is, is good", async () => {
  const none = await doctor();
  expect(none.exitCode).toBe(1);
  expect(none.answer).toMatch(/BAD +TLS of incoming mail +a self-signed certificate, which senders .* refuse\n/);
  expect(none.answer.match(/^BAD +DNS: (MX|TXT) of \S+ +not published: /gm)).toHaveLength(7);

  const { answer } = await own.admin("dns --json", { SERVICE_DOMAIN: domain });
  for (const { name, type, value } of JSON.parse(answer)) {
    const key = `${name} ${type}`;
    zone[key] = [...(zone[key] ?? []), value.replace(/\.$/, "")];
  }
  zone[`${domain} TXT`] = ["v=spf1 include:relay.example -all"];
  const all = await doctor();
  expect(all.answer).not.toContain("BAD   DNS");
  expect(all.answer).toMatch(
    /good +DNS: TXT of mail\.\S+ +published in words of your own: v=spf1 include:relay\.example -all\n/,
  );
  expect(all.answer.match(/^good +DNS: (MX|TXT) of \S+ +published\n?$/gm)).toHaveLength(6);
});

test("a key that is another's, and a name server that does not answer, are faults", async () => {
  for (const key of Object.keys(zone).filter((name) => name.startsWith("r"))) zone[key] = ["v=DKIM1; k=rsa; p=AAAA"];
  expect((await doctor()).answer).toMatch(/BAD +DNS: TXT of r\d+._domainkey\.\S+ +not published: v=DKIM1; k=rsa/);
  expect((await doctor({ DNS_SERVERS: "127.0.0.1:1" })).answer).toMatch(
    /BAD +DNS: MX of \S+ +no name server answers: ECONNREFUSED/,
  );
});

test("a certificate has to be for every host, with its key, and in time", async () => {
  const [key, certificate] = [join(own.dataDir, "key.pem"), join(own.dataDir, "certificate.pem")];
  const files = { SMTP_TLS_KEY_FILE: key, SMTP_TLS_CERT_FILE: certificate };
  const verdictOf = async (more: Record<string, string> = {}) =>
    /^\w+ +TLS of incoming mail +(.*)$/m.exec((await own.admin("doctor", { ...files, ...more })).answer)?.[0];
  expect(await verdictOf()).toMatch(/^BAD .*ENOENT/);
  const pair = await testCertificate("proxy.example");
  await writeFile(key, pair.key);
  await writeFile(certificate, pair.cert);
  expect(await verdictOf()).toMatch(/^good .*a certificate for every host, good for \d+ days$/);
  expect(await verdictOf({ MAIL_HOSTS: "mx1.proxy.example" })).toMatch(/^BAD .*not for mx1\.proxy\.example$/);
  await writeFile(key, (await testCertificate("proxy.example")).key);
  expect(await verdictOf()).toMatch(/^BAD .*is not the key of/);
});

/** A certificate of an authority, PEM, each good for so many days. */
async function issued({ certificateDays, authorityDays }: { certificateDays: number; authorityDays: number }) {
  await import("reflect-metadata");
  const { X509CertificateGenerator } = await import("@peculiar/x509");
  const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pair = () => webcrypto.subtle.generateKey(signingAlgorithm, true, ["sign", "verify"]);
  const [own, keys] = [await pair(), await pair()];
  const notBefore = new Date(Date.now() - 1_000);
  // Half a day more, which whole days leave out.
  const endOf = (days: number) => new Date(Date.now() + (days + 0.5) * dayMs);
  const name = "CN=authority";
  const generated = { notBefore, signingAlgorithm };
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...generated,
    ...{ name, keys, notAfter: endOf(authorityDays) },
  });
  const certificate = await X509CertificateGenerator.create({
    ...generated,
    ...{ subject: "CN=postern", issuer: name, signingKey: keys.privateKey, publicKey: own.publicKey },
    notAfter: endOf(certificateDays),
  });
  const key = KeyObject.from(own.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
  return { key, cert: certificate.toString("pem"), ca: authority.toString("pem") };
}

test("a certificate between services, and its authority, have to be in time", async () => {
  const paths = {
    key: join(own.dataDir, "tls.key"),
    cert: join(own.dataDir, "tls.crt"),
    ca: join(own.dataDir, "ca.crt"),
  };
  const verdictOf = async (files: { key: string; cert: string; ca: string }) => {
    for (const kind of ["key", "cert", "ca"] as const) await writeFile(paths[kind], files[kind]);
    const { key: INTERNAL_TLS_KEY, cert: INTERNAL_TLS_CERT, ca: INTERNAL_TLS_CA } = paths;
    const { answer } = await own.admin("doctor", { INTERNAL_TLS_KEY, INTERNAL_TLS_CERT, INTERNAL_TLS_CA });
    return /^\w+ +TLS between services +(.*)$/m.exec(answer)?.[0];
  };
  expect((await own.admin("doctor")).answer).toMatch(/^good +TLS between services +not set: over plain HTTP$/m);
  const former = await issued({ certificateDays: 90, authorityDays: 3 });
  const renewed = await issued({ certificateDays: 40, authorityDays: 400 });
  expect(await verdictOf(renewed)).toMatch(
    /^good .*a certificate good for 40 days, of an authority good for 400 days$/,
  );
  expect(await verdictOf({ ...renewed, ca: former.ca + renewed.ca })).toMatch(/^good .* 40 days, .* 400 days$/);
  expect(await verdictOf(former)).toMatch(/^BAD .*the authority ends \w+ +\d+ .* GMT$/);
  const ending = await issued({ certificateDays: 3, authorityDays: 400 });
  expect(await verdictOf(ending)).toMatch(/^BAD .*the certificate ends \w+ +\d+ .* GMT$/);
  expect(await verdictOf({ ...renewed, ca: former.ca })).toMatch(
    /^BAD .*no authority in \S+ca\.crt issued the certificate$/,
  );
});

test("a database server that has no room for a process more is said before a rollout finds out", async () => {
  const dataDir = join(own.dataDir, "full");
  const server = await startEmbeddedPostgres({ dataDir, logger: silentLogger, adopt: false });
  const connectionsOf = async (more: Record<string, string> = {}) =>
    /^\w+ +connections +.*$/m.exec((await own.admin("doctor", { DATABASE_URL: server.url, ...more })).answer)?.[0];
  expect(await connectionsOf()).toMatch(/^good .* \d of the database server's 197 are taken$/);

  // So many processes of the server at once take a slow machine longer than a connection is usually waited for.
  const many = { poolSize: 185, connectTimeoutMs: 120_000 };
  const others = openDatabase({ url: server.url, schema: "public", logger: silentLogger, ...many });
  await Promise.all(Array.from({ length: 185 }, () => others.query("select pg_sleep(3)")));
  expect(await connectionsOf()).toMatch(
    /^BAD .* 18\d of .* 197 are taken: raise max_connections, or lower DATABASE_POOL_SIZE$/,
  );
  expect(await connectionsOf({ DATABASE_POOL_SIZE: "4" })).toMatch(/^good .* 18\d of .* 197 are taken$/);
  await others.close();
  await server.stop();
});
