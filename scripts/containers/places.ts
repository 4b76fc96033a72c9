import { join } from "node:path";
import { cacheFolder } from "../peers/cache-folder.ts";

/** Where programs run that outlive the command which started them. One per machine: another tree's `status` and `down` know it too. */
export interface Place {
  /** Everything that they write. */
  folder: string;
  /** The control group that they and their containers are in. */
  group: string;
}

export const clusterFolder = cacheFolder("cluster");
export const clusterPlace: Place = { folder: clusterFolder, group: "postern-cluster" };
export const kubeconfig = join(clusterFolder, "kubeconfig");

/** Of the containers that compose.offline.yaml is about. */
export const offlinePlace: Place = { folder: cacheFolder("offline"), group: "postern-offline" };
