import { statSync } from "node:fs";

/** Files that take longer than most: begun last, each would hold up the end of its suite alone. The longest stands first. */
const longest = [
  "test/faults/fleet/service-outages",
  "test/faults/fleet/store-outages",
  "test/attacks/mail-of-death",
  "test/attacks/forged-complaints",
  "test/attacks/both-buses/owner-lockout",
  "test/e2e/memory",
  "test/e2e/held-and-refused",
  "test/e2e/own-domains",
  "test/e2e/other-programs",
  "test/web/accessibility",
  "test/faults/common/database",
  "test/faults/common/answers",
  "test/faults/fleet/rolling",
  "test/faults/single/kill",
  "test/integration/corpus",
  "test/integration/events/broker-outage",
  "test/integration/postgres/embedded",
  "test/contract/generated",
  "test/contract/graph-outages",
  "test/web/outcomes",
  "test/web/resilience",
  "services/forwarder/deliveries/giving-up",
  // Waits for what no broker ever says.
  "services/platform/events/kafka/client",
];

const rankOf = ({ path }) => {
  const rank = longest.findIndex((name) => path.endsWith(`${name}.test.ts`));
  return rank < 0 ? longest.length : rank;
};

const sizeOf = ({ path }) => statSync(path).size;

/** The order in which jest begins test files: the longest, then the others by their size, as a machine does that has measured none. */
export default class LongestFirst {
  sort(tests) {
    return tests.toSorted((one, other) => rankOf(one) - rankOf(other) || sizeOf(other) - sizeOf(one));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // What this machine measured decides nothing.
  }
}
