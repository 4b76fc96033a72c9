import { parseArgs } from "node:util";
import type { Environment } from "../platform/config.ts";
import { ConfigurationError, errorCode, messageOf, Outage, Refusal } from "../platform/errors.ts";
import type { ServiceDefinition } from "../platform/service.ts";
import { type Arguments, type Command, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { Installation } from "./installation.ts";
import { usage, usageOf } from "./usage.ts";

/** The exit codes of sysexits.h, and 1 for "no". */
const exits = { good: 0, bad: 1, usage: 64, unavailable: 69, software: 70, configuration: 78 } as const;

/** What a command leaves behind. */
export interface CommandResult {
  exitCode: number;
  /** For standard output. */
  answer: string;
  /** For standard error. */
  complaint: string;
}

/** Does what the words ask for, in the installation of these services that the environment describes. */
export async function run(
  words: readonly string[],
  services: readonly ServiceDefinition[],
  environment: Environment,
): Promise<CommandResult> {
  const installation = new Installation(services, environment);
  const command = commands.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
  try {
    if (!command) throw new UsageError(words.length > 0 ? `there is no command "${words.join(" ")}"` : "");
    const given = understand(command, words);
    const report = await command.run(installation, given);
    const answer = given.values.json ? JSON.stringify(report.json, null, 2) : report.lines.join("\n");
    return { exitCode: report.isGood === false ? exits.bad : exits.good, answer: `${answer}\n`, complaint: "" };
  } catch (error) {
    return { ...complaintAbout(error, command), answer: "" };
  } finally {
    await installation.close();
  }
}

/** What follows the command's name. @throws UsageError */
function understand(command: Command, words: readonly string[]): Arguments {
  const given = parse(command, words.slice(command.name.split(" ").length));
  const { min, max } = command.words;
  if (given.positionals.length < min || given.positionals.length > max)
    throw new UsageError(`${command.name}: takes ${command.synopsis || "nothing"}`);
  return given;
}

function parse({ name, options = {} }: Command, args: readonly string[]): Arguments {
  try {
    return parseArgs({ args: [...args], options: { ...options, json: { type: "boolean" } }, allowPositionals: true });
  } catch (error) {
    const isMistyped = errorCode(error).startsWith("ERR_PARSE_ARGS");
    throw isMistyped ? new UsageError(`${name}: ${messageOf(error)}`, { cause: error }) : error;
  }
}

function complaintAbout(error: unknown, command: Command | undefined): { exitCode: number; complaint: string } {
  if (error instanceof UsageError) {
    const complaint = `${error.message ? `${error.message}\n\n` : ""}${command ? usageOf(command) : usage(commands)}`;
    return { exitCode: exits.usage, complaint };
  }
  if (error instanceof ConfigurationError) return { exitCode: exits.configuration, complaint: `${error.message}\n` };
  if (error instanceof Outage) return { exitCode: exits.unavailable, complaint: `${error.operatorMessage}\n` };
  if (error instanceof Refusal) return { exitCode: exits.bad, complaint: `${error.publicMessage}\n` };
  return { exitCode: exits.software, complaint: `${error instanceof Error ? error.stack : messageOf(error)}\n` };
}
