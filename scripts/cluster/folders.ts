import { homedir } from "node:os";
import { join } from "node:path";

const cache = join(homedir(), ".cache", "postern");

/** Where programs lie that were built once. */
export const programs = (nameAndVersion: string) => join(cache, nameAndVersion);

/** Everything that a cluster writes. One per machine, as its network is: another tree's `status` and `down` know it too. */
export const clusterFolder = join(cache, "cluster");

export const kubeconfig = join(clusterFolder, "kubeconfig");
