import { down, status, up } from "./offline/stack.ts";

// `npm run offline -- up|down|status`: compose.yaml on a machine without a registry of images (compose.offline.yaml).

const commands: Record<string, (say: (line: string) => void) => Promise<void>> = { up, down, status };

const command = commands[process.argv[2] ?? ""];
if (command) {
  await command((line) => process.stdout.write(`${line}\n`));
} else {
  process.stderr.write("npm run offline -- up|down|status\n");
  process.exitCode = 2;
}
