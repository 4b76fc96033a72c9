import { expect, test } from "@jest/globals";
import { type KubernetesObject, namesOf, objectOf, render } from "./support/helm.ts";
import { containersOf, podsOf } from "./support/pods.ts";

const separate = "separate-values.yaml";
const everything = "everything-values.yaml";

/** The secrets' keys that a component's container is given. */
function keysOf(objects: readonly KubernetesObject[], kind: string, name: string): string[] {
  const [pod] = podsOf([objectOf(objects, kind, name)]);
  const containers = pod ? containersOf(pod.spec) : [];
  return containers.flatMap(({ env = [] }) =>
    env.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map((each) => each.name),
  );
}

const services = ["auth", "bindings", "forwarder", "gateway", "ingress", "mailbox", "rest", "webhook"];

test("each by itself: a deployment, an account, a service and a budget for each service", async () => {
  const objects = await render(separate);
  expect(namesOf(objects, "Deployment")).toEqual(services);
  expect(namesOf(objects, "PodDisruptionBudget")).toEqual(services);
  expect(namesOf(objects, "Service").sort()).toEqual([...services, "http", "smtp"].sort());
  expect(namesOf(objects, "ServiceAccount").sort()).toEqual([...services, "migrations"].sort());
  expect(podsOf([objectOf(objects, "Deployment", "mailbox")])[0]?.spec.containers[0]?.args).toEqual([
    "dist/main.js",
    "--target=mailbox",
  ]);
});

test("single: one deployment with all, recreated rather than rolled, and no Kafka", async () => {
  const objects = await render("single-values.yaml");
  expect(namesOf(objects, "Deployment")).toEqual(["all"]);
  expect(objectOf(objects, "Deployment", "all")).toMatchObject({
    spec: { replicas: 1, strategy: { type: "Recreate" } },
  });
  expect(JSON.stringify(objects)).not.toContain("KAFKA_");
  expect(namesOf(objects, "PodDisruptionBudget")).toEqual([]);
  expect(podsOf([objectOf(objects, "Job", "migrations")])[0]?.spec.initContainers).toBeUndefined();
});

test("a pod is given its own database and no other's; the relay's and the bucket's keys go where they are used", async () => {
  const objects = await render(everything);
  const common = ["SECRET_KEY", "SECRET_KEY_PREVIOUS", "REDIS_URL", "OTEL_EXPORTER_OTLP_HEADERS"];
  const kafka = ["KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"];
  const bucket = ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];
  const expected: Record<string, string[]> = {
    gateway: common,
    rest: common,
    auth: [...common, "AUTH_DATABASE_URL", ...kafka, "BOOTSTRAP_USER", "BOOTSTRAP_PASSWORD"],
    bindings: [...common, "BINDINGS_DATABASE_URL", ...kafka],
    ingress: [...common, "INGRESS_DATABASE_URL", ...kafka, ...bucket],
    mailbox: [...common, "MAILBOX_DATABASE_URL", ...kafka, ...bucket],
    forwarder: [...common, "FORWARDER_DATABASE_URL", ...kafka, "OUTBOUND"],
    webhook: [...common, "WEBHOOK_DATABASE_URL", ...kafka],
  };
  for (const [name, keys] of Object.entries(expected))
    expect([name, keysOf(objects, "Deployment", name).sort()]).toEqual([name, [...keys].sort()]);
});

test("nothing secret is rendered: no Secret, and no password in what is", async () => {
  const objects = await render(everything);
  expect(namesOf(objects, "Secret")).toEqual([]);
});

test("migrations run before the rest, schemas before topics, with what they need and nothing that stays", async () => {
  const objects = await render(separate);
  const hooks = objects.filter(({ metadata }) => metadata.annotations?.["helm.sh/hook"] === "pre-install,pre-upgrade");
  expect(hooks.map(({ kind }) => kind).sort()).toEqual(["ConfigMap", "Job", "NetworkPolicy", "ServiceAccount"]);
  for (const { metadata } of hooks)
    expect(metadata.annotations?.["helm.sh/hook-delete-policy"]).toBe("before-hook-creation,hook-succeeded");
  const [pod] = podsOf([objectOf(objects, "Job", "migrations")]);
  expect(pod?.spec.initContainers?.map(({ args }) => args)).toEqual([["dist/admin.js", "migrate"]]);
  expect(pod?.spec.containers.map(({ args }) => args)).toEqual([["dist/admin.js", "topics"]]);
  expect(keysOf(objects, "Job", "migrations").filter((key) => key.endsWith("_DATABASE_URL"))).toHaveLength(12);
});

test("who scales has no replicas of its own; Kafka's lag is that of the groups and topics as the brokers know them", async () => {
  const objects = await render(everything);
  expect(namesOf(objects, "HorizontalPodAutoscaler")).toEqual(["gateway", "ingress", "rest"]);
  expect(namesOf(objects, "ScaledObject")).toEqual(["forwarder", "mailbox", "webhook"]);
  for (const name of services) {
    const isFixed = ["auth", "bindings"].includes(name);
    expect([name, "replicas" in objectOf(objects, "Deployment", name).spec]).toEqual([name, isFixed]);
  }
  expect(objectOf(objects, "ScaledObject", "forwarder")).toMatchObject({
    spec: {
      triggers: [
        {
          metadata: { consumerGroup: "prod.forwarder.mail.accepted", topic: "prod.mail.accepted", lagThreshold: "200" },
          authenticationRef: { name: "mail-postern-kafka" },
        },
        { metadata: { consumerGroup: "prod.forwarder.notice.requested", sasl: "scram_sha512", tls: "enable" } },
      ],
    },
  });
});

test("without KEDA, cert-manager, Prometheus and Gateway API none of their kinds is there", async () => {
  const groups = (await render(separate)).map(({ apiVersion }) => apiVersion.split("/")[0]);
  for (const group of ["keda.sh", "cert-manager.io", "monitoring.coreos.com", "gateway.networking.k8s.io"])
    expect(groups).not.toContain(group);
});

test("mail comes with its client's address: unchanged, or by PROXY protocol from who may speak it", async () => {
  const plain = await render(separate);
  expect(objectOf(plain, "Service", "smtp")).toMatchObject({
    spec: { type: "LoadBalancer", externalTrafficPolicy: "Local", ports: [{ port: 25, targetPort: "smtp" }] },
  });
  const proxied = await render(everything);
  expect(objectOf(proxied, "Service", "smtp")).toMatchObject({ spec: { externalTrafficPolicy: "Cluster" } });
  expect(proxied.find(({ metadata }) => metadata.name === "mail-postern")?.["data"]).toMatchObject({
    SMTP_PROXY_CIDRS: "10.20.0.0/16",
  });
});

test("the certificate is a volume of its own, in ingress alone, where it is renewed in place", async () => {
  const objects = await render(everything);
  for (const name of services) {
    const [pod] = podsOf([objectOf(objects, "Deployment", name)]);
    const mounts = (pod?.spec.containers[0]?.["volumeMounts"] ?? []) as { name: string; subPath?: string }[];
    const tls = mounts.filter((mount) => mount.name === "tls");
    expect([name, tls.length]).toEqual([name, name === "ingress" ? 1 : 0]);
    expect(tls[0]?.subPath).toBeUndefined();
  }
});

test("large numbers reach the services as they were written", async () => {
  const [configMap] = (await render(everything)).filter(({ kind }) => kind === "ConfigMap");
  expect(configMap?.["data"]).toMatchObject({ SMTP_SIZE_LIMIT: "52428800", QUOTA_BINDINGS: "500" });
});

test("helm test is there for whoever can sign in", async () => {
  expect(namesOf(await render(separate), "Pod")).toEqual([]);
  const objects = await render(everything);
  expect(podsOf([objectOf(objects, "Pod", "test-mail")])[0]?.spec.containers[0]?.args).toEqual([
    "dist/admin.js",
    "round-trip",
    "--api=http://mail-postern-http:80",
    "--smtp=mail-postern-smtp:25",
  ]);
});

test("pods are led to while a store that all of them share is away, and are not restarted for it", async () => {
  for (const [file, name, port] of [
    [separate, "ingress", "internal"],
    ["single-values.yaml", "all", "http"],
  ] as const) {
    const [pod] = podsOf([objectOf(await render(file), "Deployment", name)]);
    expect(pod?.spec.containers[0]).toMatchObject({
      startupProbe: { httpGet: { path: "/healthz", port } },
      readinessProbe: { httpGet: { path: "/servingz", port } },
      livenessProbe: { httpGet: { path: "/healthz", port } },
    });
  }
});

test("a stop has the time that it may take, after those who route to the pod have heard", async () => {
  const objects = await render(separate, { drainSeconds: 7, stopTimeoutSeconds: 60 });
  expect(podsOf([objectOf(objects, "Deployment", "ingress")])[0]?.spec).toMatchObject({
    terminationGracePeriodSeconds: 77,
    containers: [{ lifecycle: { preStop: { sleep: { seconds: 7 } } } }],
  });
  expect(objectOf(objects, "Deployment", "ingress")).toMatchObject({
    spec: { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } },
  });
});
