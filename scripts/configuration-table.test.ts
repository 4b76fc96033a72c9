import { beforeAll, expect, test } from "@jest/globals";
import { type ConfigDefinition, loadConfig } from "../services/platform/config.ts";
import { hostConfig } from "../services/platform/runtime/host.ts";
import { loadAllServices } from "../services/targets.ts";
import { pageWithTable } from "./configuration-table.ts";

let definition: ConfigDefinition;
beforeAll(async () => {
  definition = hostConfig(await loadAllServices());
});

test("docs/configuration.md lists every variable that the code reads", async () => {
  const { current, renewed } = await pageWithTable();
  expect(current).toBe(renewed);
});

function variable(name: string) {
  const found = definition[name];
  if (!found) throw new Error(`there is no variable ${name}`);
  return found;
}

/** Variables of every kind, and what is mistyped of each. */
const mistyped: Record<string, string[]> = {
  PUBLIC_URL: [
    "mail.example.org",
    "https://user:password@mail.example.org",
    "https://mail.example.org/?a=1",
    "https://mail.example.org/#a",
    "https://mail.example.org/a b",
  ],
  DATABASE_URL: ["postgres:host/postern", "mysql://host/postern", "postgres://host:port/x", " "],
  SERVICE_DOMAIN: ["mail_host.example", "https://mail.example.org", "@mail.example.org", "localhost", " "],
  SERVICE_NAME: ["My Mail", "mail.example.org", "-postern", "postern\r\nBcc: x", "x".repeat(60), " "],
  MAIL_HOSTS: [
    "mx1.example.org,,mx2.example.org",
    "mx1.example.org mx2.example.org",
    "https://mx1.example.org",
    "10 mx1.example.org",
    "192.0.2.1",
    "mx1.example.org:25",
    ",",
  ],
  KAFKA_BROKERS: ["kafka", "kafka:9092,", "kafka:port", "kafka://kafka:9092", "kafka:70000", "kafka:9092 other:9092"],
  KAFKA_TOPIC_PREFIX: ["our topics", "ours/", "ours:", "ö", "x".repeat(120)],
  DNS_SERVERS: ["dns.example.org", "192.0.2.1;192.0.2.2", "192.0.2.300", "192.0.2.1,", "[::1"],
  S3_BUCKET: ["s3://mail", "m", "mail/box", "mail box"],
  SMTP_SIZE_LIMIT: ["35MB", "3.5e7", "-1", "0x2000000", "35 000 000", "١٠٠٠٠٠"],
  HTTP_PORT: ["65536", "http", "8080/tcp", ":8080", "80.5"],
  STOP_TIMEOUT_S: ["25s", "0", "PT25S", "1e1", "Infinity"],
  FORWARD_RETRY_S: ["60,soon", "60,,300", "1m,5m", "0x10", "1e99", "Infinity", "-60", " "],
  DMARC_ENFORCE: ["on", "maybe", "constructor", "__proto__", "truе"],
  SIGNUP: ["opened", "Open", "open,invite", "constructor", "0"],
  LIMIT_EXEMPT_CIDRS: [
    "10.0.0.0",
    "10/8",
    "010.0.0.0/8",
    "0x0a.0.0.0/8",
    "10.0.0.0/33",
    "10.0.0.0-10.0.0.255",
    "any",
    ",",
  ],
  CORS_ORIGINS: ["app.example", "https://app.example/", "https://app.example/path", "null", "https://*.example"],
  OUTBOUND: ["smtp:relay.example", "relay.example:25", "MX", "smtp://", "smtps://relay.example:smtp"],
  MX_PORT: ["0", "65536", "smtp"],
  SPF_SENDERS: ["192.0.2.0/24", "include: relay.example", "v=spf1", "include:relay.example -all", "+all", ","],
  OTEL_TRACES_SAMPLER_ARG: ["10%", "2", "-0.1", "0,1", "half"],
  OPERATOR_ADDRESS: ["postmaster", "a@b", "a@b.example, c@d.example", "Operator <a@b.example>", "mailto:a@b.example"],
};

test.each(Object.entries(mistyped).flatMap(([name, values]) => values.map((value) => [name, value])))(
  "%s: %j is refused",
  (name = "", value) => {
    expect(() => loadConfig({ [name]: variable(name) }, { [name]: value })).toThrow(`${name}: expected `);
  },
);

test.each([
  ["MAIL_HOSTS", "MX1.example.org, mx2.bücher.example", ["mx1.example.org", "mx2.xn--bcher-kva.example"]],
  ["SERVICE_NAME", "Acme-Mail2", "Acme-Mail2"],
  [
    "KAFKA_BROKERS",
    "kafka-0.kafka:9092, 192.0.2.1:9092,[2001:db8::1]:9092",
    ["kafka-0.kafka:9092", "192.0.2.1:9092", "[2001:db8::1]:9092"],
  ],
  ["LIMIT_EXEMPT_CIDRS", "10.0.0.0/8, 2001:db8::/32", ["10.0.0.0/8", "2001:db8::/32"]],
  [
    "SPF_SENDERS",
    "ip4:192.0.2.0/24,ip6:2001:db8::/32,include:relay.example,a,mx:x.example/24,~exists:%{i}.x.example",
    expect.any(Array),
  ],
  ["FORWARD_RETRY_S", "0,0.5,300", [0, 0.5, 300]],
  ["OTEL_TRACES_SAMPLER_ARG", "0.25", "0.25"],
  ["PUBLIC_URL", "https://mail.example.org/base/", "https://mail.example.org/base"],
])("%s: %j is taken", (name, value, read) => {
  expect(loadConfig({ [name]: variable(name) }, { [name]: value })).toEqual({
    [name]: read,
  });
});
