import type { Command } from "./command.ts";

const examples = [
  "npm run admin -- account add jane@example.org",
  "npm run --silent admin -- account list --json",
  "npm run admin -- dead resend --all",
  "npm run admin -- doctor",
];

/** How to use one of the operator's commands. */
export function usageOf({ name, synopsis, sentence }: Command): string {
  return [`Usage: npm run admin -- ${`${name} ${synopsis}`.trimEnd()}`, `    ${sentence}`, ""].join("\n");
}

/** How to use the operator's command. */
export function usage(commands: readonly Command[]): string {
  const each = commands.flatMap(({ name, synopsis, sentence }) => [
    `  ${`${name} ${synopsis}`.trimEnd()}`,
    `      ${sentence}`,
  ]);
  return [
    "Usage: npm run admin -- COMMAND [--json]",
    "",
    ...each,
    "",
    "--json prints what a program can read. The environment says which installation is meant, as for npm start;",
    "it may be running or not.",
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}
