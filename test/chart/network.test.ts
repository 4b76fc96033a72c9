import { beforeAll, expect, test } from "@jest/globals";
import ipaddr from "ipaddr.js";
import { type KubernetesObject, render } from "./support/helm.ts";

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number | string; endPort?: number }[];
}
interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  podSelector?: { matchExpressions?: { values: string[] }[] };
}
interface Policy {
  ingress?: Rule[];
  egress: Rule[];
}

let everything: Map<string, Policy>;
let separate: Map<string, Policy>;

const policies = (objects: readonly KubernetesObject[]) =>
  new Map(
    objects
      .filter(({ kind }) => kind === "NetworkPolicy")
      .map(({ metadata, spec }) => [metadata.name.replace("mail-postern-", ""), spec as Policy]),
  );

beforeAll(async () => {
  everything = policies(await render("everything-values.yaml"));
  separate = policies(await render("separate-values.yaml"));
});

const components = (peers: Peer[] = []) =>
  peers.flatMap((peer) => peer.podSelector?.matchExpressions?.[0]?.values ?? []);
const ranges = (rules: readonly Rule[]) =>
  rules.flatMap((rule) => (rule.to ?? []).flatMap((peer) => peer.ipBlock?.cidr ?? []));
const internet = (policy: Policy | undefined) =>
  ranges(policy?.egress ?? []).some((cidr) => /^(0\.0\.0\.0|::)\/0$/.test(cidr));

test("services are called by those who need them alone", () => {
  const callers = (name: string) => (separate.get(name)?.ingress ?? []).flatMap((rule) => components(rule.from));
  expect(callers("gateway")).toEqual([]);
  expect(callers("rest")).toEqual(["gateway"]);
  expect(callers("auth").sort()).toEqual(["bindings", "forwarder", "gateway", "mailbox", "rest", "webhook"]);
  expect(callers("ingress").sort()).toEqual(["forwarder", "mailbox", "rest"]);
  // And by anybody at all only where that is their work.
  for (const [name, { ingress = [] }] of separate) {
    const open = ingress
      .filter((rule) => rule.from === undefined)
      .flatMap((rule) => rule.ports?.map(({ port }) => port));
    expect([name, open]).toEqual([name, { gateway: ["http"], ingress: ["smtp"] }[name] ?? []]);
  }
});

test("a group is called by who needs one of its services, calls no pod of its own, and reaches what each of them does", async () => {
  const mail = policies(await render("fleet-values.yaml")).get("mail");
  expect((mail?.ingress ?? []).flatMap(({ from }) => components(from))).toEqual(["gateway", "rest", "webhook"]);
  expect((mail?.egress ?? []).flatMap(({ to }) => components(to))).toEqual(["auth", "webhook"]);
  expect(internet(mail)).toBe(true);
  expect(ranges(mail?.egress ?? [])).toContain("10.40.0.0/16");
});

test("the Internet is for forwarder and webhook alone, and without what is private", () => {
  expect([...separate].filter(([, policy]) => internet(policy)).map(([name]) => name)).toEqual([
    "forwarder",
    "webhook",
  ]);
  for (const name of ["forwarder", "webhook"]) {
    const blocks =
      separate.get(name)?.egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? [];
    const [v4, v6] = blocks;
    expect(v4?.except).toEqual(
      expect.arrayContaining(["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "192.168.0.0/16"]),
    );
    expect(v6?.except).toEqual(expect.arrayContaining(["::1/128", "fc00::/7", "fe80::/10"]));
    // The API server takes an IPv4-mapped range for one of IPv4, which is no part of ::/0.
    const ofFour = v6?.except?.filter((range) => ipaddr.parse(range.split("/")[0] ?? "").range() === "ipv4Mapped");
    expect(ofFour).toEqual([]);
  }
  const ports = separate
    .get("forwarder")
    ?.egress.find(({ to }) => to?.[0]?.ipBlock)
    ?.ports?.map(({ port }) => port);
  expect(ports).toEqual([25, 443]);
});

test("a relay takes the Internet's place, and callbacks reach the private ranges that they are allowed", () => {
  expect(internet(everything.get("forwarder"))).toBe(false);
  expect(ranges(everything.get("forwarder")?.egress ?? [])).toContain("10.1.3.25/32");
  expect(ranges(everything.get("webhook")?.egress ?? [])).toEqual(
    expect.arrayContaining(["0.0.0.0/0", "10.30.0.0/16", "fd00:30::/32"]),
  );
  for (const [name, policy] of everything)
    if (name !== "webhook") expect(ranges(policy.egress)).not.toContain("10.30.0.0/16");
});

test("mail goes straight to private exchangers where they are allowed, over SMTP and HTTPS", async () => {
  const config = { OUTBOUND_ALLOW_CIDRS: "10.40.0.0/16, fd00:40::/32" };
  const direct = policies(await render("separate-values.yaml", { config, outbound: { mode: "mx" } }));
  const given = direct.get("forwarder")?.egress.find(({ to }) => to?.[0]?.ipBlock?.cidr === "10.40.0.0/16");
  expect(ranges(given ? [given] : [])).toEqual(["10.40.0.0/16", "fd00:40::/32"]);
  expect(given?.ports?.map(({ port }) => port)).toEqual([25, 443]);
});

test("each reaches its own stores and no others", () => {
  const reaches = (name: string, cidr: string) => ranges(everything.get(name)?.egress ?? []).includes(cidr);
  const [database, redis, bucket] = ["10.1.0.0/24", "10.1.1.0/24", "10.1.2.0/24"] as const;
  const found = [...everything.keys()].map((name) => [
    name,
    [database, redis, bucket].map((cidr) => reaches(name, cidr)),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    auth: [true, true, false],
    bindings: [true, true, false],
    forwarder: [true, true, false],
    gateway: [false, true, false],
    ingress: [true, true, true],
    mailbox: [true, true, true],
    migrations: [true, true, false],
    rest: [false, true, false],
    webhook: [true, true, false],
  });
});

test("switched off, none is there", async () => {
  expect(policies(await render("separate-values.yaml", { networkPolicy: { enabled: false } })).size).toBe(0);
});
