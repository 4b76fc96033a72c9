import { parseArgs } from "node:util";
import { freshMachine } from "./fresh/fresh-machine.ts";
import { runParts } from "./support/run/steps.ts";

// `npm run test:fresh [-- --suite=NAME…]`: a Debian with Node, npm and git alone, where `npm start` and `npm test` have to install the rest by
// themselves: a Java runtime, Maven, Go, Redis, Chromium. Takes what is committed, into a folder that is removed at the end, and a quarter of
// an hour with the suites that need these most: the chart's, and the events over Kafka. Needs Debian and root.

const { values } = parseArgs({ options: { suite: { type: "string", multiple: true } } });
await runParts([freshMachine(values.suite)]);
