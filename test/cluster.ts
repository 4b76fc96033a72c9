import { parseArgs } from "node:util";
import { otherCluster } from "../scripts/cluster/other-cluster.ts";
import { useOwnCluster } from "../scripts/cluster/use.ts";
import { bareApiServer } from "./cluster/bare-api-server.ts";
import { anyCluster, ownCluster } from "./cluster/whole-cluster.ts";
import { type Part, runParts } from "./support/run/steps.ts";

// `npm run test:cluster`: the chart installed, upgraded and taken away without a trace, where that can be seen for real.
//   npm run cluster -- up && npm run test:cluster                    on that cluster, mail and all; where it is this machine's own, its
//                                   network policies, scaling by lag, the upgrade from the last release and skaffold dev, too
//   npm run test:cluster -- --only=policies                          one part of it: life-cycle, policies, scaling, upgrade or dev
//   IMAGE=registry.example.org/postern:dev npm run test:cluster      on the cluster of the kubeconfig, its life cycle
//   KUBEBUILDER_ASSETS=/usr/local/kubebuilder/bin npm run test:cluster
//                                   on an API server of its own, by etcd and kube-apiserver of that folder or of the path

const image = process.env["IMAGE"];
const { values } = parseArgs({ options: { only: { type: "string" } } });

const say = (line: string) => process.stdout.write(`${line}\n`);

async function partsHere(): Promise<Part[]> {
  if (image) return anyCluster(image);
  const other = await otherCluster();
  if (other) {
    if (!other.image) throw new Error(`${other.name} has no image yet: npm run cluster -- up`);
    process.env["KUBECONFIG"] = other.kubeconfig;
    return anyCluster(other.image);
  }
  const own = await useOwnCluster(process.env);
  return own ? ownCluster(own, say) : [bareApiServer(process.env["KUBEBUILDER_ASSETS"])];
}

const parts = await partsHere();
const chosen = parts.filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0) throw new Error(`--only is one of ${parts.map(({ name }) => name).join(", ")} here`);
await runParts(chosen);
