import { delimiter } from "node:path";
import { posternImage, storeImages } from "../containers/images.ts";
import { kubeconfig } from "../containers/places.ts";
import { provideKeda } from "./keda.ts";
import { provideLastRelease } from "./last-release.ts";
import { nodes } from "./network.ts";
import { hasCluster } from "./own-cluster.ts";
import { programFolder } from "./programs.ts";

export type OwnCluster = NonNullable<Awaited<ReturnType<typeof useOwnCluster>>>;

/** Leads kubectl and helm to the cluster of `npm run cluster`, and says what it has; undefined if there is none. */
export async function useOwnCluster(environment: NodeJS.ProcessEnv) {
  if (!(await hasCluster())) return undefined;
  const kubernetes = await programFolder("kubernetes", () => undefined);
  environment["PATH"] = `${kubernetes}${delimiter}${environment["PATH"] ?? ""}`;
  environment["KUBECONFIG"] = kubeconfig;
  return { image: posternImage, stores: storeImages, nodes, provideKeda, provideLastRelease };
}
