import type { Step } from "../support/run/steps.ts";
import type { Site } from "./site.ts";

/** Who is to reach whom, as the chart's policies have it; the stores' pods are held by none of them. */
const links: readonly [from: string, to: string, isOpen: boolean][] = [
  ["postern-auth", "postern-dev-postgres:5432", true],
  ["postern-rest", "postern-auth:9090", true],
  ["postern-dev-valkey", "postern-dev-postgres:5432", true],
  ["postern-dev-valkey", "postern-smtp:25", true],
  ["postern-rest", "postern-dev-postgres:5432", false],
  ["postern-gateway", "postern-dev-postgres:5432", false],
  ["postern-gateway", "postern-dev-kafka:9092", false],
  ["postern-auth", "postern-mailbox:9090", false],
  ["postern-dev-valkey", "postern-auth:9090", false],
];

const peer = (name: string) => ({ podSelector: { matchLabels: { "app.kubernetes.io/name": name } } });
const peers = Object.entries({ database: "postgres", kafka: "kafka", redis: "valkey" }).map(
  ([what, name]) => `--set-json=networkPolicy.${what}.to=${JSON.stringify([peer(name)])}`,
);
/** Packets that are not let through are dropped: nobody answers. */
const connectLimitS = 5;

/** The network policies of the chart, where something enforces them: what they forbid fails, and mail arrives. */
export function policies(site: Site): Step[] {
  return [
    ["stores are installed", () => site.installStores()],
    ["install with network policies", () => site.release("install", ["--set=networkPolicy.enabled=true", ...peers])],
    ["helm test sends a mail", () => site.sendMail()],
    ...links.map(
      ([from, to, isOpen]): Step => [
        `${from} ${isOpen ? "reaches" : "does not reach"} ${to}`,
        () => expectLink(site, from, to, isOpen),
      ],
    ),
    ["upgrade to no policies", () => site.release("upgrade")],
    ...links
      .filter(([, , isOpen]) => !isOpen)
      .map(([from, to]): Step => [`${from} reaches ${to} then`, () => expectLink(site, from, to, true)]),
  ];
}

async function expectLink(site: Site, from: string, to: string, isOpen: boolean): Promise<void> {
  const [host = "", port = ""] = to.split(":");
  const connect = `timeout ${connectLimitS} bash -c '</dev/tcp/${host}/${port}'`;
  // A name that is not known would look as if it were guarded.
  const attempt = `getent hosts ${host} && { ${connect} && echo open || echo closed; }`;
  const told = (await site.kubectl("exec", `deployment/${from}`, "--", "bash", "-c", attempt)).trim();
  if (!told.endsWith(isOpen ? "open" : "closed")) throw new Error(told);
}
