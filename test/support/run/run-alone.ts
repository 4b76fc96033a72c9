import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs under jest a file that is in no suite, since it takes long or needs what the suites lack. @returns its exit code. */
export async function runAlone(path: string, environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ["node_modules/jest/bin/jest.js", "--testMatch", `**/${path}`, "--runInBand"], {
    stdio: "inherit",
    cwd: new URL("../../../", import.meta.url),
    env: {
      ...process.env,
      NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning",
      ...environment,
    },
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
}
