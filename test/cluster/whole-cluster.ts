import type { OwnCluster } from "../../scripts/cluster/use.ts";
import { hasCommand, runCommand } from "../../scripts/peers/command.ts";
import { messageOf } from "../../services/platform/errors.ts";
import type { Part, Step } from "../support/run/steps.ts";
import { development } from "./development.ts";
import { lifeCycle } from "./life-cycle.ts";
import { policies } from "./policies.ts";
import { scaling } from "./scaling.ts";
import { Site, type Surroundings } from "./site.ts";
import { upgrade } from "./upgrade.ts";

const shortMs = 60_000;

async function checkCluster(): Promise<void> {
  const needed = "test:cluster needs a cluster";
  if (!(await hasCommand("kubectl", ["version", "--client"])))
    throw new Error(`${needed}: there is no kubectl on the path`);
  await runCommand("kubectl", ["get", "--raw", "/readyz", "--request-timeout=10s"], shortMs).catch((cause: unknown) => {
    throw new Error(`${needed}: the kubeconfig's does not answer. ${messageOf(cause)}`, { cause });
  });
}

/** On the cluster of the kubeconfig, which may be anybody's. */
export function anyCluster(image: string): Part[] {
  const surroundings = { image, stores: {} };
  return [partOf("life-cycle", surroundings, (site) => lifeCycle(site, []))];
}

/** On the one of `npm run cluster`: what needs its nodes and what can be put on them, too. */
export function ownCluster(own: OwnCluster, say: (line: string) => void): Part[] {
  const names = own.nodes.map(({ name }) => name);
  return [
    partOf("life-cycle", own, (site) => lifeCycle(site, names)),
    partOf("policies", own, policies),
    partOf("scaling", own, (site) => scaling(site, own, say)),
    partOf("upgrade", own, (site) => upgrade(site, own, say)),
    development(own),
  ];
}

/** In a namespace of its own, with throw-away stores. */
function partOf(name: string, surroundings: Surroundings, stepsOn: (site: Site) => Step[]): Part {
  return {
    name,
    start: async () => {
      await checkCluster();
      const site = new Site(surroundings);
      return { steps: stepsOn(site), dispose: () => site.dispose() };
    },
  };
}
