import { equal } from "node:assert/strict";
import type { OwnCluster } from "../../scripts/cluster/use.ts";
import { closeClient, newClient } from "../../services/platform/db/connection.ts";
import { eventually } from "../support/eventually.ts";
import type { MailLoad } from "../support/mail/mail-load.ts";
import type { Step } from "../support/run/steps.ts";
import type { Site } from "./site.ts";
import { databaseUrl, expectNothingLost, loadOn, summaryOf, unlimited } from "./site-mail.ts";

const restMs = 200;
/** Forwarder gives an event up for dead after four minutes of waiting for the lock. */
const growthPatience = { patienceMs: 3 * 60_000, restMs: 2_000 };
const shrinkPatience = { patienceMs: 10 * 60_000, restMs: 2_000 };
const partitions = 3;
const forwarder = "postern-forwarder";

/** Each service that has a backlog; forwarder grows early. */
const scaled = (site: Site) => [
  // Those of a group hand accepted mail to each other, which leaves no lag.
  "--set-json=groups=null",
  ...["forwarder", "mailbox", "webhook"].map(
    (name) => `--set-json=components.${name}.autoscaling.kafka=${kafkaScaling(name === "forwarder" ? 5 : 500)}`,
  ),
  // KEDA asks it from a namespace of its own.
  `--set=kafka.brokers={postern-dev-kafka.${site.namespace}:9092}`,
  unlimited,
];

const kafkaScaling = (lag: number) => JSON.stringify({ enabled: true, minReplicas: 1, maxReplicas: partitions, lag });

/** By KEDA, which sees how much is left to read of Kafka's topics. */
export function scaling(site: Site, { provideKeda }: OwnCluster, say: (line: string) => void): Step[] {
  let load: MailLoad;
  return [
    ["KEDA is there", () => provideKeda(say)],
    ["stores are installed", () => site.installStores()],
    ["install, scaled by lag", () => site.release("install", scaled(site))],
    ["every autoscaler is told its lag", () => expectLags(site)],
    ["forwarder runs once", () => expectReplicas(site, 1)],
    [
      "mail comes in, forwarder is held back, and grows",
      async () => {
        load = await loadOn(site, restMs);
        await heldBack(await databaseUrl(site), async () => {
          await load.acceptedMore(100);
          await eventually(() => expectReplicas(site, partitions), growthPatience);
        });
      },
    ],
    [
      "all of its pods come to work",
      () => site.kubectl("rollout", "status", `deployment/${forwarder}`, "--timeout=5m"),
    ],
    [
      "mail comes in with all of them",
      async () => {
        await load.acceptedMore(50);
        await load.stop();
        say(summaryOf(load));
      },
    ],
    ["nothing is lost, nothing was refused for good", () => expectNothingLost(site, load)],
    [
      "it shrinks, here without the rest that the chart gives it",
      async () => {
        await site.kubectl("patch", "scaledobject", forwarder, "--type=merge", `--patch=${JSON.stringify(restless)}`);
        await eventually(() => expectReplicas(site, 1), shrinkPatience);
      },
    ],
    ["helm test sends a mail", () => site.sendMail()],
  ];
}

const restless = {
  spec: {
    advanced: {
      horizontalPodAutoscalerConfig: {
        behavior: {
          scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: "Pods", value: 1, periodSeconds: 15 }] },
        },
      },
    },
  },
};

/** The fallback, by which autoscalers are told of a number where Kafka does not answer, is not it. */
async function expectLags(site: Site): Promise<void> {
  const wait = (condition: string, kind: string) =>
    site.kubectl("wait", `--for=condition=${condition}`, "--timeout=2m", kind, "--all");
  await wait("ScalingActive", "hpa");
  await wait("Fallback=false", "scaledobject");
}

async function expectReplicas(site: Site, count: number): Promise<void> {
  equal(await site.kubectl("get", "deployment", forwarder, "--output=jsonpath={.spec.replicas}"), String(count));
}

/** Does something while forwarder cannot note any event as seen: it goes on reading, and none of it takes effect. */
async function heldBack(url: string, act: () => Promise<void>): Promise<void> {
  const client = newClient({ url });
  const lost = new Promise<never>((_, reject) => client.on("error", reject));
  await client.connect();
  try {
    await client.query("set idle_in_transaction_session_timeout = 0");
    await client.query("begin");
    await client.query("lock table forwarder.inbox in share mode");
    await Promise.race([act(), lost]);
  } finally {
    // Which ends the transaction.
    await closeClient(client);
  }
}
