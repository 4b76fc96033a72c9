import type { ParseArgsOptionsConfig } from "node:util";
import type { Installation } from "./installation.ts";

/** What a command found or did, for both readers: values for programs (--json), lines for people. */
export interface Report {
  json: unknown;
  lines: readonly string[];
  /** False makes the exit code 1: it was found out, and it is bad. Default true. */
  isGood?: boolean;
}

/** What was typed after the command's name. */
export interface Arguments {
  positionals: readonly string[];
  values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** One thing that an operator can ask for. */
export interface Command {
  /** As it is typed: "account add". */
  name: string;
  /** What follows the name. */
  synopsis: string;
  sentence: string;
  options?: ParseArgsOptionsConfig;
  /** How many words may follow the name besides options. */
  words: { min: number; max: number };
  /** @throws UsageError for words that do not fit together. */
  run(installation: Installation, given: Arguments): Promise<Report>;
}

/** It was typed wrongly: the usage is printed, and the exit code is 64 (EX_USAGE of sysexits.h). */
export class UsageError extends Error {}
