import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { FaultFixture } from "../faults/fault-fixture.ts";
import type { ownKafka } from "../support/peers/kafka.ts";

export interface Exercised extends FaultFixture {
  readonly kafka: Awaited<ReturnType<typeof ownKafka>>;
  /** Done once the fleet has ended. */
  defer(end: () => Promise<void>): void;
  /** Begins mail and requests that go on until the end; resolves when both come through. @param name begins the mails' subjects */
  load(name: string): Promise<void>;
}

/** How a fault is raised and mended; the alert that it fires is the title of the runbook. */
export interface Exercise {
  raise(fixture: Exercised): Promise<void>;
  /** What the runbook says to do; where it says kubectl, its equal on the fleet. */
  mend(fixture: Exercised, book: Runbook): Promise<void>;
}

const root = new URL("../../", import.meta.url);

const shownLines = 20;

/** What is there beside the fleet. */
const programs: Readonly<Record<string, string>> = { node: process.execPath, npm: "npm", curl: "curl" };

/** A page of docs/runbooks, whose commands are run as they stand there. */
export class Runbook {
  readonly alert: string;
  readonly #text: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(name: string, environment: NodeJS.ProcessEnv) {
    this.#text = readFileSync(new URL(`docs/runbooks/${name}.md`, root), "utf8");
    this.#environment = environment;
    this.alert = /^# (\w+)$/m.exec(this.#text)?.[1] ?? "";
  }

  /**
   * Runs a command that the page gives, with other words in place of those that `words` has, as of its names in capitals. @returns what it printed
   * @throws Error when the page does not give the command, or it complains of its words
   */
  async run(command: string, words: Readonly<Record<string, string>> = {}): Promise<string> {
    if (!this.#text.includes(`\`${command}\``)) throw new Error(`the runbook does not say: ${command}`);
    const [name = "", ...args] = command.split(" ").map((word) => words[word] ?? word);
    const program = programs[name];
    if (!program) throw new Error(`there is no ${name} beside the fleet: ${command}`);
    const printed = await new Promise<string>((resolve, reject) => {
      const options = { cwd: root, env: this.#environment, timeout: 120_000 };
      execFile(program, args, options, (error, stdout, stderr) => {
        // The doctor's exit code says that something is wrong, which it should be.
        if (error && error.code !== 1) reject(new Error(`${command}: ${stdout}${stderr}`, { cause: error }));
        else resolve(`${stdout}${stderr}`);
      });
    });
    process.stdout.write(`  ${[name, ...args].join(" ")}\n${shown(printed)}\n`);
    return printed;
  }

  /** Says what is done by hand. */
  does(what: string): void {
    process.stdout.write(`  ${what}\n`);
  }
}

/** The first lines of what was printed. */
function shown(printed: string): string {
  const lines = printed.trimEnd().split("\n");
  const first = lines.slice(0, shownLines).map((line) => `    ${line}`);
  return [...first, ...(lines.length > shownLines ? [`    … ${lines.length - shownLines} more`] : [])].join("\n");
}
