import { messageOf } from "../services/platform/errors.ts";
import { choose, type Use, uses } from "./cluster/choice.ts";
import { adoptCluster, otherCluster, otherStatus, releaseCluster } from "./cluster/other-cluster.ts";
import { createCluster, deleteCluster, hasCluster, loadImages, ownStatus } from "./cluster/own-cluster.ts";
import { develop, loadBuilt } from "./cluster/skaffold.ts";

// `npm run cluster -- up|down|status|dev`: a Kubernetes to try this on (docs/kubernetes.md): the one of a kubeconfig, of kind or of k3d
// where there is one, or else two nodes on this machine, of programs that are built here once. --use=kubeconfig|kind|k3d|own.

const usage = `npm run cluster -- up [--use=${uses.join("|")}]
npm run cluster -- status
npm run cluster -- down
npm run cluster -- dev [WORDS OF skaffold dev]
`;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function up(asked: Use | undefined): Promise<void> {
  const other = await otherCluster();
  const used = other?.use ?? ((await hasCluster()) ? "own" : undefined);
  if (used && asked && asked !== used) throw new Error(`${used} is in use: npm run cluster -- down`);
  if (used) say(`${used} is in use already`);
  const { use, name } = other ?? (await choose(used ?? asked, say));
  if (use === "own") {
    await createCluster(say);
    await loadImages(say);
  } else await adoptCluster({ use, name }, say);
  await tell();
}

async function down(): Promise<void> {
  const other = await otherCluster();
  await (other ? releaseCluster(other, say) : deleteCluster());
}

async function tell(): Promise<void> {
  const other = await otherCluster();
  await (other ? otherStatus(other, say) : ownStatus(say));
}

/** `skaffold dev` finds other clusters by itself. */
async function dev(words: string[]): Promise<void> {
  const other = await otherCluster();
  if (other) throw new Error(`KUBECONFIG=${other.kubeconfig} skaffold dev`);
  if (!(await hasCluster())) throw new Error("there is no cluster: npm run cluster -- up --use=own");
  process.exitCode = await develop(words, say);
}

/** @returns undefined where there is no such command */
function run([command, ...words]: string[]): Promise<void> | undefined {
  const asked = uses.find((use) => words.join(" ") === `--use=${use}`);
  if (command === "dev") return dev(words);
  // What the profile "own" of skaffold.yaml calls.
  if (command === "load" && words[0]) return loadBuilt(words[0]);
  if (command === "up" && (words.length === 0 || asked)) return up(asked);
  if (words.length > 0) return undefined;
  if (command === "down") return down();
  return command === "status" ? tell() : undefined;
}

const done = run(process.argv.slice(2));
if (!done) {
  process.stderr.write(usage);
  process.exitCode = 2;
}
await done?.catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
