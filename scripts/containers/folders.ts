import { homedir } from "node:os";
import { join } from "node:path";

const cache = join(homedir(), ".cache", "postern");

/** Where programs lie that were built once. */
export const programs = (nameAndVersion: string) => join(cache, nameAndVersion);

/** Where programs run that outlive the command which started them. One per machine: another tree's `status` and `down` know it too. */
export interface Place {
  /** Everything that they write. */
  folder: string;
  /** The control group that they and their containers are in. */
  group: string;
}

export const clusterFolder = join(cache, "cluster");
export const clusterPlace: Place = { folder: clusterFolder, group: "postern-cluster" };
export const kubeconfig = join(clusterFolder, "kubeconfig");

/** Of the containers that compose.offline.yaml is about. */
export const offlinePlace: Place = { folder: join(cache, "offline"), group: "postern-offline" };
