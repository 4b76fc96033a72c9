import { end, load, raise, status } from "./cluster/own-cluster.ts";

// `npm run cluster -- up|down|status`: a Kubernetes of two nodes on this machine, of programs that are built here once (docs/kubernetes.md).

const commands: Record<string, (say: (line: string) => void) => Promise<void>> = {
  up: async (say) => {
    await raise(say);
    await load(say);
    await status(say);
  },
  down: end,
  status,
};

const command = commands[process.argv[2] ?? ""];
if (command) {
  await command((line) => process.stdout.write(`${line}\n`));
} else {
  process.stderr.write("npm run cluster -- up|down|status\n");
  process.exitCode = 2;
}
