import { beforeAll, expect, test } from "@jest/globals";
import { type KubernetesObject, namesOf, objectOf, render, template } from "./support/helm.ts";
import { podsOf } from "./support/pods.ts";

const fleet = "fleet-values.yaml";
const components = ["auth", "gateway", "mail", "rest", "webhook"];
const services = ["auth", "bindings", "forwarder", "gateway", "ingress", "mailbox", "rest", "webhook"];

let objects: readonly KubernetesObject[];
beforeAll(async () => {
  objects = await render(fleet);
});

test("a group is one deployment, account, budget and policy; its services keep their names", () => {
  expect(namesOf(objects, "Deployment")).toEqual(components);
  expect(namesOf(objects, "PodDisruptionBudget")).toEqual(components);
  expect(namesOf(objects, "ServiceAccount").sort()).toEqual([...components, "migrations"].sort());
  expect(namesOf(objects, "NetworkPolicy").sort()).toEqual([...components, "migrations"].sort());
  expect(namesOf(objects, "Service").sort()).toEqual([...services, "http", "smtp"].sort());
  const leadsTo = namesOf(objects, "Service").map((name) => {
    const { selector }: { selector: Record<string, string> } = objectOf(objects, "Service", name).spec;
    return [name, selector["app.kubernetes.io/component"]];
  });
  expect(Object.fromEntries(leadsTo)).toEqual({
    auth: "auth",
    bindings: "mail",
    forwarder: "mail",
    gateway: "gateway",
    http: "gateway",
    ingress: "mail",
    mailbox: "mail",
    rest: "rest",
    smtp: "mail",
    webhook: "webhook",
  });
});

test("its pods run its services, with the secrets and the entries of each, and its own entry goes before theirs", () => {
  const container = podsOf([objectOf(objects, "Deployment", "mail")])[0]?.spec.containers[0];
  expect(container?.args).toEqual(["dist/main.js", "--target=ingress,forwarder,mailbox,bindings"]);
  const given = (container?.env ?? []).map(({ name }) => name);
  expect(given.filter((name) => name.endsWith("_DATABASE_URL")).sort()).toEqual([
    "BINDINGS_DATABASE_URL",
    "FORWARDER_DATABASE_URL",
    "INGRESS_DATABASE_URL",
    "MAILBOX_DATABASE_URL",
  ]);
  expect(given).toContain("FORWARD_CONCURRENCY");
  // ingress and mailbox say 1 GiB, forwarder and bindings nothing.
  expect(container).toMatchObject({ resources: { requests: { memory: "192Mi" }, limits: { memory: "1Gi" } } });
  expect(namesOf(objects, "HorizontalPodAutoscaler")).toEqual(["gateway", "mail", "rest"]);
});

test.each(["ingress", "forwarder", "mailbox"])(
  "what values say of %s holds for its group, whatever the chart itself gives another of it",
  async (service) => {
    const said = { resources: { limits: { memory: "3Gi" } } };
    const rendered = await render(fleet, { components: { [service]: said } });
    const container = podsOf([objectOf(rendered, "Deployment", "mail")])[0]?.spec.containers[0];
    expect(container).toMatchObject({ resources: { requests: { memory: "192Mi" }, limits: { memory: "3Gi" } } });
  },
);

test("it is scaled by CPU, as ingress is: what its services hand over to each other leaves no lag", () => {
  expect(objectOf(objects, "HorizontalPodAutoscaler", "mail").spec).toMatchObject({ minReplicas: 3, maxReplicas: 8 });
  expect(namesOf(objects, "ScaledObject")).toEqual([]);
});

test.each<[string, string[], string[]]>([
  [
    "consumers without who publishes",
    ["forwarder", "mailbox", "bindings"],
    [
      "forwarder.mail.accepted",
      "forwarder.notice.requested",
      "mailbox.mail.accepted",
      "mailbox.delivery.settled",
      "mailbox.delivery.deferred",
    ],
  ],
  [
    "who publishes, with some of the consumers",
    ["ingress", "forwarder"],
    ["forwarder.mail.accepted", "forwarder.notice.requested"],
  ],
  [
    "the only publisher and the only consumer of one topic, and consumers of others",
    ["mailbox", "webhook"],
    ["mailbox.mail.accepted", "mailbox.delivery.settled", "mailbox.delivery.deferred"],
  ],
])("a group of %s is scaled by the lag of what comes by Kafka", async (_, members, lags) => {
  const own = { replicas: 3, autoscaling: { cpu: { enabled: false }, kafka: { enabled: true } } };
  const rendered = await render(fleet, { groups: { mail: members }, components: { mail: own } });
  const { triggers }: { triggers: { metadata: Record<string, string> }[] } = objectOf(
    rendered,
    "ScaledObject",
    "mail",
  ).spec;
  expect(triggers.map(({ metadata }) => metadata["consumerGroup"])).toEqual(lags);
});

test("null takes the group away that there is unless values say otherwise", async () => {
  for (const groups of [null, { mail: null }]) {
    const separate = await render(fleet, { groups, components: { mail: null } });
    expect(namesOf(separate, "Deployment")).toEqual(services);
  }
});

test("one process has all services, in no group", async () => {
  expect(namesOf(await render("single-values.yaml"), "Deployment")).toEqual(["all"]);
});

test.each<[string, object, RegExp]>([
  [
    "a service in two groups",
    { groups: { api: ["rest", "ingress"] } },
    /groups has ingress twice: .* groups: \{ mail: null \}/,
  ],
  ["every service in one", { groups: { mail: services } }, /groups\.mail has every service/],
  [
    "a lag that its services do not have",
    { components: { mail: { autoscaling: { cpu: { enabled: false }, kafka: { enabled: true } } } } },
    /components\.mail\.autoscaling\.kafka\.enabled is true, but its services hand accepted mail/,
  ],
  ["a group that has a service's name", { groups: { auth: ["rest", "gateway"] } }, /groups\.auth has the name of/],
  ["an entry of nobody's", { components: { mial: { replicas: 3 } } }, /components\.mial is neither a service nor/],
  ["a service that there is not", { groups: { api: ["rest", "graph"] } }, /groups/],
  ["a group of one", { groups: { api: ["rest"] } }, /groups/],
  ["a group whose name YAML reads as something else", { groups: { on: ["rest", "gateway"] } }, /invalid propertyName/],
  [
    "two scalers, one of them a service's",
    { components: { mail: { autoscaling: { kafka: { enabled: true } } } } },
    /two scalers.* A group takes over/,
  ],
])("%s is refused with a sentence", async (_case, values, sentence) => {
  await expect(template(fleet, values)).rejects.toThrow(sentence);
});
