import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./exit-codes.ts";

/** What node:util's parseArgs gives, its faults as a UsageError; `--json` is known to every command. */
export function parsed<const O extends NonNullable<ParseArgsConfig["options"]>>(args: string[], options: O) {
  try {
    return parseArgs({
      args,
      options: { json: { type: "boolean", default: false }, ...options },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws UsageError */
export function seconds(text: string, option: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0)) throw new UsageError(`${option}: expected a number of seconds.`);
  return value;
}

/** At most so many arguments that are no options. @throws UsageError */
export function positionals(given: readonly string[], names: readonly string[], needed = names.length): string[] {
  if (given.length > names.length)
    throw new UsageError(`There is no place for ${JSON.stringify(given[names.length])}.`);
  if (given.length < needed) throw new UsageError(`${names[given.length]} is missing.`);
  return [...given];
}
