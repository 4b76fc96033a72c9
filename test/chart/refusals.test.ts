import { expect, test } from "@jest/globals";
import { template } from "./support/helm.ts";

const fleet = "fleet-values.yaml";
const everything = "everything-values.yaml";

test.each<[string, string, object, RegExp]>([
  ["a fleet without Kafka", fleet, { kafka: { brokers: [] } }, /kafka\.brokers is empty/],
  ["a fleet without Redis", fleet, { redis: { existingSecret: "" } }, /redis\.existingSecret is empty/],
  ["two of one process", "single-values.yaml", { components: { all: { replicas: 2 } } }, /set mode to fleet/],
  [
    "in-sync replicas beyond the replicas",
    fleet,
    { kafka: { topics: { replication: 1 } } },
    /no event would ever be taken/,
  ],
  [
    "in-sync replicas as many as replicas",
    fleet,
    { kafka: { topics: { minInsyncReplicas: 3 } } },
    /one broker at rest/,
  ],
  ["SASL without a user", fleet, { kafka: { sasl: { mechanism: "plain" } } }, /kafka\.sasl\.existingSecret/],
  ["a relay without a URL", fleet, { outbound: { mode: "relay" } }, /outbound\.existingSecret names no Secret/],
  ["a relay's URL that nobody uses", fleet, { outbound: { existingSecret: "relay" } }, /outbound\.mode is mx/],
  ["clients that nobody sees", fleet, { smtp: { service: { externalTrafficPolicy: "Cluster" } } }, /PROXY protocol/],
  [
    "PROXY protocol from nobody",
    fleet,
    { smtp: { proxyProtocol: { enabled: true } } },
    /proxyProtocol\.cidrs is empty/,
  ],
  ["two certificates", everything, { smtp: { tls: { existingSecret: "tls" } } }, /choose one/],
  ["a certificate by nobody", fleet, { smtp: { tls: { certManager: { enabled: true } } } }, /names no issuer/],
  ["a node port of no node port", fleet, { smtp: { service: { nodePort: 30025 } } }, /type is LoadBalancer/],
  ["a proxy that is taken for a client", everything, { http: { trustedProxyHops: 0 } }, /trustedProxyHops is 0 behind/],
  ["a route by no gateway", fleet, { http: { gateway: { enabled: true } } }, /names no Gateway/],
  [
    "TLS that links lead past",
    fleet,
    { publicUrl: "http://a.example", http: { ingress: { enabled: true } } },
    /past it/,
  ],
  ["a bucket's keys without a bucket", fleet, { blobs: { existingSecret: "bucket" } }, /blobs\.bucket is empty/],
  ["two scalers", everything, { components: { mailbox: { autoscaling: { cpu: { enabled: true } } } } }, /two scalers/],
  [
    "lag of who reads nothing",
    fleet,
    { components: { rest: { autoscaling: { cpu: { enabled: false }, kafka: { enabled: true } } } } },
    /use autoscaling\.cpu/,
  ],
  ["readers without partitions", everything, { kafka: { topics: { partitions: 6 } } }, /nothing to read/],
  [
    "a range the wrong way round",
    fleet,
    { components: { rest: { autoscaling: { cpu: { minReplicas: 9 } } } } },
    /more than its maxReplicas/,
  ],
  [
    "policies that name no database",
    fleet,
    { networkPolicy: { database: { to: [] } } },
    /networkPolicy\.database\.to is empty/,
  ],
  [
    "policies that name no collector",
    fleet,
    { telemetry: { endpoint: "http://collector:4318" } },
    /networkPolicy\.collector\.to/,
  ],
  // The schema's part
  ["a value that there is not", fleet, { databse: {} }, /additional properties 'databse' not allowed/],
  ["a variable that is set otherwise", fleet, { config: { KAFKA_BROKERS: "a:1" } }, /config/],
  ["a variable that there is not", fleet, { components: { rest: { config: { QUOTA: 1 } } } }, /config/],
  ["a domain that is none", fleet, { domain: "" }, /domain/],
  ["a URL with a path", fleet, { publicUrl: "https://a.example/mail" }, /publicUrl/],
  ["no key", fleet, { secretKey: { existingSecret: "" } }, /existingSecret/],
])("%s is refused with a sentence", async (_case, file, values, sentence) => {
  await expect(template(file, values)).rejects.toThrow(sentence);
});

test("all that is wrong is said at once", async () => {
  const said = await template(fleet, { kafka: { brokers: [] }, redis: { existingSecret: "" } }).catch(String);
  expect(said).toMatch(/kafka\.brokers is empty[\s\S]*redis\.existingSecret is empty/);
});
