import { equal } from "node:assert/strict";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { eventually } from "../support/eventually.ts";
import type { Part, Step } from "../support/run/steps.ts";
import { OtherDebian } from "./other-debian.ts";

/** What `npm test` installs, by the command it is known by. */
const installed = ["java", "mvn", "go", "redis-server", "chromium"];
/** Of a suite's, the words that choose what needs them. */
const chosen = [["--suite=chart"], ["--suite=integration", "test/integration/events"]];
const say = (line: string) => process.stdout.write(`${line}\n`);

/** @param suites run whole, in place of what needs most of what is installed */
export function freshMachine(suites: readonly string[] | undefined): Part {
  return {
    name: "fresh machine",
    start: async () => {
      const debian = await OtherDebian.make(["nodejs", "npm", "git"], say);
      const runs = suites ? suites.map((suite) => [`--suite=${suite}`]) : chosen;
      return { steps: stepsOn(debian, runs), dispose: () => debian.remove() };
    },
  };
}

function stepsOn(debian: OtherDebian, runs: readonly (readonly string[])[]): Step[] {
  return [
    [`none of ${installed.join(", ")} is there`, async () => equal(await thoseThere(debian), "")],
    ["npm start answers", () => startsBy(debian)],
    ["npm test installs its peers", () => debian.run(["npm", "test", "--", "--suite=peers"])],
    ["all of them are Debian's", async () => say(await packagesOf(debian))],
    ...runs.map((words): Step => [`npm test -- ${words.join(" ")}`, () => debian.run(["npm", "test", "--", ...words])]),
  ];
}

async function thoseThere(debian: OtherDebian): Promise<string> {
  return debian.run(["sh", "-c", `for name in ${installed.join(" ")}; do command -v $name || true; done`]);
}

/** @throws where one is missing, or is no file of a package */
async function packagesOf(debian: OtherDebian): Promise<string> {
  const owner = 'dpkg --search "$(realpath "$(command -v $name)")"';
  return debian.run(["sh", "-ec", `for name in ${installed.join(" ")}; do ${owner}; done`]);
}

async function startsBy(debian: OtherDebian): Promise<void> {
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  const running = debian.start(["npm", "start"], { HTTP_PORT: `${httpPort}`, SMTP_PORT: `${smtpPort}` });
  try {
    const isReady = async () => equal((await fetch(`http://127.0.0.1:${httpPort}/readyz`)).status, 200);
    await Promise.race([running.ended, eventually(isReady, { patienceMs: 15 * 60_000, restMs: 1_000 })]);
  } finally {
    await running.stop();
  }
}
