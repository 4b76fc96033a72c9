import { useOwnCluster } from "../scripts/cluster/use.ts";
import { messageOf } from "../services/platform/errors.ts";
import { bareApiServer } from "./cluster/bare-api-server.ts";
import type { ClusterUnderTest } from "./cluster/steps.ts";
import { wholeCluster } from "./cluster/whole-cluster.ts";

// `npm run test:cluster`: the chart installed, upgraded and taken away without a trace, where that can be seen for real.
//   npm run cluster -- up && npm run test:cluster                    on that cluster, mail and all
//   IMAGE=registry.example.org/postern:dev npm run test:cluster      on the cluster of the kubeconfig, the same
//   KUBEBUILDER_ASSETS=/usr/local/kubebuilder/bin npm run test:cluster
//                                   on an API server of its own, by etcd and kube-apiserver of that folder or of the path

const image = process.env["IMAGE"];
const say = (line: string) => process.stdout.write(`${line}\n`);

let passed = 0;
let failed = 0;
let step = "before anything";
let cluster: ClusterUnderTest | undefined;
try {
  const own = image ? undefined : await useOwnCluster(process.env);
  if (image) cluster = await wholeCluster({ image, stores: {}, nodes: [] });
  else cluster = await (own ? wholeCluster(own) : bareApiServer(process.env["KUBEBUILDER_ASSETS"]));
  for (const [name, run] of cluster.steps) {
    step = name;
    await run();
    passed++;
    say(`passed  ${name}`);
  }
} catch (error) {
  failed++;
  say(`FAILED  ${step}: ${messageOf(error)}`);
} finally {
  await cluster?.dispose();
}
say(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
