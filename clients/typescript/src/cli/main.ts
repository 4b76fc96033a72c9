#!/usr/bin/env node
import { Postern } from "../postern.ts";
import { address } from "./address.ts";
import { described, exitCodeOf, exitCodes, UsageError } from "./exit-codes.ts";
import { say } from "./output.ts";
import { tail } from "./tail.ts";
import { wait } from "./wait.ts";

const help = `postern address new [--address A] [--to REAL]... [--description D] [--callback URL] [--not-kept]
postern address list [--search TEXT]
postern address remove ADDRESS|ID
postern wait ADDRESS [--from F] [--subject S] [--since TIME] [--timeout SECONDS] [--leave] [--code | --link]
postern tail [ADDRESS]

wait     waits for the next email (60 seconds unless --timeout says otherwise) and prints it, its code or its link.
         It is taken: the next wait gets the next one. --leave leaves it. ADDRESS may have a tag (name+tag@domain).
tail     prints a line for each email as it comes, to whatever tag of ADDRESS. What comes while Postern is out of reach is
         shown once it is back, in order and once each, as long as Postern keeps its events (7 days).
--json   prints JSON: one object a line.

POSTERN_URL is where Postern is, POSTERN_KEY an API key (alias:create for new, alias:read for list, alias:write for
remove, mail:read for wait and tail).

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no email came in time or it holds none of what was asked for,
4 the key is wrong or does not allow it, 5 Postern cannot be reached or cannot answer now.`;

const commands = { address, wait, tail };

/** @throws UsageError */
function client(): Postern {
  const missing = ["POSTERN_URL", "POSTERN_KEY"].filter((name) => !process.env[name]);
  if (missing.length > 0) throw new UsageError(`${missing.join(" and ")} must be set.`);
  return Postern.fromEnvironment(process.env);
}

async function run([command, ...args]: string[]): Promise<void> {
  if (command === "--help" || command === "-h" || command === "help" || args.includes("--help")) return say(help);
  if (command === undefined || !Object.hasOwn(commands, command))
    throw new UsageError(`postern: expected ${Object.keys(commands).join(", ")}, or --help.`);
  await commands[command as keyof typeof commands](args, client);
}

// What reads our output may stop reading, as head does.
process.stdout.on("error", () => process.exit(exitCodes.done));
try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${described(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
