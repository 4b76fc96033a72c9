import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "@jest/globals";
import { freePorts } from "./free-ports.ts";

test("a port is given to one process alone, as long as that runs and whether its server does or not", async () => {
  const lowest = randomInt(12_000, 31_000);
  const range = { lowest, beyond: lowest + 16 };
  const script = `
    const { freePorts } = await import(${JSON.stringify(new URL("free-ports.ts", import.meta.url).href)});
    console.log(JSON.stringify(await freePorts(8, ${JSON.stringify(range)})));
    process.stdin.resume();`;
  const node = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", script];
  const other = spawn(process.execPath, node, { env: {}, stdio: ["pipe", "pipe", "inherit"] });
  const [printed] = (await once(other.stdout, "data")) as [Buffer];
  const theirs = JSON.parse(printed.toString()) as number[];
  const ours = await freePorts(4, range);
  other.kill();
  expect(new Set([...theirs, ...ours]).size).toBe(12);
});
